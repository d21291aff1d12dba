import MagicInspection

/// A part of a page. Every text and every value of an attribute is escaped when it is added; names
/// of elements and attributes are constants of the source. No other file creates markup.
struct HTML: Sendable {
  /// The markup.
  let markup: String

  private init(markup: String) { self.markup = markup }

  /// Nothing.
  static let nothing = HTML(markup: "")

  /// A text. Control characters, and characters that change the direction of the text around them,
  /// are replaced.
  init(_ text: String) { markup = Self.escaped(text) }

  /// Parts one after the other.
  init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

  /// An element.
  init(
    _ name: Element, _ attributes: [HTMLAttribute] = [], @HTMLBuilder _ content: () throws -> HTML
  ) rethrows {
    let content = try content()
    self.init(name, attributes, content)
  }

  /// An element without content.
  init(_ name: Element, _ attributes: [HTMLAttribute]) { self.init(name, attributes, .nothing) }

  private init(_ name: Element, _ attributes: [HTMLAttribute], _ content: HTML) {
    var text = "<\(name.rawValue)"
    for attribute in attributes { text += attribute.markup }
    text += ">"
    if !name.isVoid { text += content.markup + "</\(name.rawValue)>" }
    markup = text
  }

  /// A drawing of types. The diagram escapes its texts.
  init(_ diagram: SVGDiagram, link: (InspectedType) -> Link) {
    markup = diagram.text(hasStyle: false) { link($0).text }
  }

  /// A complete document.
  func document() -> String { "<!doctype html>\n" + markup + "\n" }

  /// The elements of pages.
  enum Element: String {
    case a, article, aside, audio, body, button, code, datalist, dd, details, dialog, div, dl, dt
    case em
    case footer, form, h1, h2, h3, head, header, html, img, input, kbd, label, li, link, main
    case mark, meta, nav, ol, option, p, pre, progress, script, section, select, span, strong,
      summary
    case table, tbody, td, textarea, th, thead, time, title, tr, ul

    var isVoid: Bool {
      switch self {
      case .img, .input, .link, .meta: true
      default: false
      }
    }
  }

  static func escaped(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.controlsText && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(scalars)).markup
  }
}

/// Collects the content of an element: texts, elements, conditions and loops.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ part: HTML) -> HTML { part }
  static func buildExpression(_ part: HTML?) -> HTML { part ?? .nothing }
  static func buildExpression(_ text: String) -> HTML { HTML(text) }
  static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? .nothing }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
  static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
}
