import Foundation

extension InspectedValue {
  /// Creates the stored value for a text that a user typed for a column.
  ///
  /// - Throws: ``InspectionError`` with the kind `invalidInput` if the text is not a value of the form.
  public init(typed text: String, for column: InspectedColumn) throws(InspectionError) {
    switch column.form {
    case .bool:
      switch text.lowercased() {
      case "true", "yes", "1": self.init(.integer(1))
      case "false", "no", "0": self.init(.integer(0))
      default: throw Self.invalid(text, column, "true or false")
      }
    case .date:
      guard let seconds = InspectedDate.seconds(text) else {
        throw Self.invalid(text, column, "a date such as 2024-05-01 or 2024-05-01T12:30Z")
      }
      self.init(.real(seconds))
    case .integer, .one:
      guard let number = Int64(text) else { throw Self.invalid(text, column, "an integer") }
      self.init(.integer(number))
    case .real:
      guard let number = Double(text), !number.isNaN else {
        throw Self.invalid(text, column, "a number")
      }
      self.init(.real(number))
    case .uuid:
      // A column of PostgreSQL has only UUIDs, and its server compares only with these.
      guard column.declaredType != "uuid" || UUID(uuidString: text) != nil else {
        throw Self.invalid(text, column, "a UUID")
      }
      self.init(.text(text.uppercased()))
    case .enumeration:
      self.init(
        Self.isNumeric(column) ? Int64(text).map(Stored.integer) ?? .text(text) : .text(text))
    case .data, .json, .uuidBytes, .vector:
      throw InspectionError(
        .invalidInput,
        "\(column.property.shown) contains bytes, which cannot be compared with text."
      )
    default:
      self.init(
        Self.isNumeric(column) ? Int64(text).map(Stored.integer) ?? .text(text) : .text(text))
    }
  }

  private static func isNumeric(_ column: InspectedColumn) -> Bool {
    ["INTEGER", "BIGINT"].contains(column.declaredType.uppercased())
  }

  private static func invalid(
    _ text: String, _ column: InspectedColumn, _ expected: String
  ) -> InspectionError {
    InspectionError(.invalidInput, "\(column.property.shown) is compared with \(expected).")
  }
}
