/// An attribute of an element. Addresses are only those of ``Link``, so that no value of a file
/// becomes an address of another scheme or host. There are no attributes for scripts and styles.
struct HTMLAttribute: Sendable {
  let markup: String

  private init(_ name: String, _ value: String) { markup = " \(name)=\"\(HTML.escaped(value))\"" }

  /// An attribute with a text.
  init(_ name: Name, _ value: String) { self.init(name.rawValue, value) }

  /// An attribute without a value.
  init(_ flag: Flag) { markup = " \(flag.rawValue)" }

  /// The attributes that have texts.
  enum Name: String {
    case id, lang, title, name, value, type, content, charset, rel, role, scope, dir, alt, rows
    case method, datetime, max, placeholder, loading, autocomplete, spellcheck, media, tabindex
    case className = "class"
    case label = "aria-label"
    case labelledBy = "aria-labelledby"
    case hidden = "aria-hidden"
    case current = "aria-current"
    case sort = "aria-sort"
    case live = "aria-live"
    case labelFor = "for"
    case inputMode = "inputmode"
    /// The identifier of the list of suggestions.
    case list
    case invalid = "aria-invalid"
    case describedBy = "aria-describedby"
    /// Marks a part that live updates replace. The value is its name.
    case part = "data-part"
    /// Marks a row that keys select, and that is compared when it is replaced.
    case row = "data-row"
    case focus = "data-focus"
    case key = "data-key"
  }

  /// The attributes without a value.
  enum Flag: String {
    case open, selected, checked, controls, required, download, `defer`
  }

  static func href(_ link: Link) -> HTMLAttribute { HTMLAttribute("href", link.text) }
  static func src(_ link: Link) -> HTMLAttribute { HTMLAttribute("src", link.text) }
  static func action(_ link: Link) -> HTMLAttribute { HTMLAttribute("action", link.text) }
  /// The content of a `meta` element that continues with an address at once.
  static func refresh(_ link: Link) -> [HTMLAttribute] {
    [HTMLAttribute("http-equiv", "refresh"), HTMLAttribute("content", "0; url=\(link.text)")]
  }
  /// The address of the main part of the same page.
  static let mainPart = HTMLAttribute("href", "#main")

  /// The CSS class.
  static func named(_ name: String) -> HTMLAttribute { HTMLAttribute(.className, name) }
}
