/// Comma-separated values: RFC 4180, with line feeds.
public enum CSVText {
  /// Returns a line with its line break.
  public static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\n"
  }

  /// Returns a value as text. NULL is empty.
  public static func text(of value: InspectedValue, as form: InspectedForm) -> String {
    switch value.json(as: form) {
    case .null: ""
    case .string(let text): text
    case let node: node.text()
    }
  }

  private static func field(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? text.quoted(with: "\"") : text
  }
}

extension InspectedValue {
  /// The form of a value of any statement: a blob that contains a JSON document is shown as that,
  /// because it is the form of JSON in the file.
  public var guessedForm: InspectedForm {
    guard let bytes, let first = bytes.first, "[{".utf8.contains(first), !isTruncated,
      JSONNode.isDocument(bytes)
    else { return .text }
    return .json
  }
}
