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
    case .enumeration: self.init(try Self.number(text, column))
    case .data, .json, .uuidBytes, .vector:
      throw InspectionError(
        .invalidInput,
        "\(column.property.shown) contains bytes, which cannot be compared with text."
      )
    default: self.init(try Self.number(text, column))
    }
  }

  /// The text as a number, for a column of integers or reals. A server compares these only with numbers.
  private static func number(
    _ text: String, _ column: InspectedColumn
  ) throws(InspectionError) -> Stored {
    switch column.declaredType {
    case "bigint":
      guard let number = Int64(text) else { throw invalid(text, column, "an integer") }
      return .integer(number)
    case "double precision":
      guard let number = Double(text) else { throw invalid(text, column, "a number") }
      return .real(number)
    default:
      guard column.declaredType.uppercased() == "INTEGER", let number = Int64(text) else {
        return .text(text)
      }
      return .integer(number)
    }
  }

  private static func invalid(
    _ text: String, _ column: InspectedColumn, _ expected: String
  ) -> InspectionError {
    InspectionError(.invalidInput, "\(column.property.shown) is compared with \(expected).")
  }
}
