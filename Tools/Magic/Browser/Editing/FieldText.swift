import MagicInspection

/// What a field of a form contains.
enum FieldText: Equatable, Sendable {
  /// Null, or no value yet.
  case null
  case text(String)

  /// Creates the content of a field for a text, with the line breaks that a form can have.
  init(_ text: String?) {
    self =
      text.map {
        .text($0.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
      } ?? .null
  }

  /// Compares the characters as they are stored: equivalent ones are different values.
  static func == (left: FieldText, right: FieldText) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// Whether a form can show the text and send it back: it has no characters that a page replaces.
  static func canShow(_ text: String) -> Bool {
    !text.unicodeScalars.contains {
      $0.controlsText && $0 != "\n" && $0 != "\t" && $0 != "\r"
    }
  }
}
