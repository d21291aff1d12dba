/// A part of SVG or HTML, as escaped text.
struct Markup {
  let text: String

  private init(escaped text: String) { self.text = text }

  /// Creates an element with its content.
  init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: Markup = .none) {
    let attributes = attributes.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
    text =
      content.text.isEmpty
      ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content.text)</\(name)>"
  }

  static let none = Markup(escaped: "")

  /// Escaped text.
  static func text(_ text: String) -> Markup { Markup(escaped: escaped(text)) }

  /// The rules of a style sheet, which contain no external text.
  static func style(_ rules: String) -> Markup {
    Markup(escaped: "<style>\n\(rules)\n</style>")
  }

  /// The parts one after the other, each on a separate line.
  static func all(_ parts: [Markup]) -> Markup {
    Markup(escaped: parts.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
