/// A piece of SVG or HTML, as text in which nothing is left to escape.
struct Markup {
  let text: String

  private init(escaped text: String) { self.text = text }

  /// An element with what is in it.
  init(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: Markup = .none) {
    let attributes = attributes.map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
    text =
      content.text.isEmpty
      ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(content.text)</\(name)>"
  }

  static let none = Markup(escaped: "")

  /// Characters that mean themselves.
  static func text(_ text: String) -> Markup { Markup(escaped: escaped(text)) }

  /// The rules of a style sheet, which hold no text of others.
  static func style(_ rules: String) -> Markup {
    Markup(escaped: "<style>\n\(rules)\n</style>")
  }

  /// One after the other, each on a line of its own.
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
