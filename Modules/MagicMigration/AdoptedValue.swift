import Foundation
import MagicSchema
import Magical
import SQLiteTables

/// The conversion of values of a foreign column to the form that the library stores. Every value is
/// converted exactly or refused.
struct AdoptedValue {
  /// What the values must be, for messages.
  let description: String
  /// Returns the SQL expression that converts a value.
  let expression: (String) -> String
  /// Returns the SQL condition for values other than NULL that cannot be converted.
  let violation: (String) -> String

  /// - Returns: nil if values are copied unchanged. The table planner refuses values of another
  ///   storage class.
  init?(_ column: ColumnSchema, dates: MagicDateFormat?) {
    switch (column.codec, column.storageClass) {
    case (.bool, _): self = .bool
    case (.date, _):
      guard let dates else { return nil }
      self.init(dates)
    case (.double, _): self = .real(limit: 9_007_199_254_740_992)
    case (.float, _): self = .real(limit: 16_777_216)
    case (.uuid, _): self = .uuid
    case (.uuidBytes, _): self = .uuidBytes
    case (.vector, _): self = .vector
    case (.decimal, _): self = .decimal
    case (.converted, .blob): self = .json
    default: return nil
    }
  }

  private init(
    _ description: String, _ expression: @escaping (String) -> String,
    unless violation: @escaping (String) -> String
  ) {
    self.description = description
    self.expression = expression
    self.violation = violation
  }

  private static var bool: AdoptedValue {
    AdoptedValue("0 or 1", { $0 }) {
      "(typeof(\($0)) <> 'integer' OR \($0) NOT IN (0, 1))"
    }
  }

  private static func real(limit: Int) -> AdoptedValue {
    AdoptedValue("a number that the type can represent", { "CAST(\($0) AS REAL)" }) {
      "(typeof(\($0)) NOT IN ('integer', 'real') "
        + "OR typeof(\($0)) = 'integer' AND \($0) NOT BETWEEN -\(limit) AND \(limit))"
    }
  }

  /// UUIDs are stored as text in upper case.
  private static var uuid: AdoptedValue {
    AdoptedValue(
      "a UUID",
      { value in
        "CASE typeof(\(value)) WHEN 'blob' THEN \(UUIDConversion.text(ofBytes: value)) "
          + "ELSE upper(\(value)) END"
      },
      unless: UUIDConversion.isNoUUID)
  }

  private static var uuidBytes: AdoptedValue {
    AdoptedValue(
      "a UUID",
      { value in
        "CASE typeof(\(value)) WHEN 'blob' THEN \(value) "
          + "ELSE \(UUIDConversion.bytes(ofText: value)) END"
      },
      unless: UUIDConversion.isNoUUID)
  }

  private static var vector: AdoptedValue {
    AdoptedValue("numbers of four bytes", { $0 }, unless: VectorColumn.isInvalid)
  }

  /// The text of a real number with 15 digits. A cast to text has more digits in later versions of
  /// SQLite.
  private static func digits(of value: String) -> String { "printf('%!.15g', \(value))" }

  /// Real numbers are converted if their text with 15 digits is the same number.
  private static var decimal: AdoptedValue {
    AdoptedValue(
      "a decimal number with at most 15 digits",
      { value in
        "CASE WHEN typeof(\(value)) <> 'real' THEN CAST(\(value) AS TEXT) "
          + "WHEN CAST(\(value) AS INTEGER) = \(value) "
          + "THEN CAST(CAST(\(value) AS INTEGER) AS TEXT) ELSE \(digits(of: value)) END"
      },
      unless: { value in
        "CASE typeof(\(value)) WHEN 'integer' THEN 0 WHEN 'real' THEN abs(\(value)) >= 1e15 "
          + "OR instr(\(digits(of: value)), 'e') > 0 "
          + "OR CAST(\(digits(of: value)) AS REAL) <> \(value) WHEN 'text' THEN "
          + "CASE WHEN json_valid(\(value)) THEN json_type(\(value)) NOT IN ('integer', 'real') "
          + "ELSE 1 END ELSE 1 END"
      })
  }

  /// Text is stored as its UTF-8 bytes.
  private static var json: AdoptedValue {
    AdoptedValue("text or a blob", { "CAST(\($0) AS BLOB)" }) {
      "typeof(\($0)) NOT IN ('text', 'blob')"
    }
  }

  // MARK: Dates

  private init(_ format: MagicDateFormat) {
    let isNumber: (String) -> String = { "typeof(\($0)) NOT IN ('integer', 'real')" }
    switch format {
    case .referenceSeconds: self.init("a number", { "CAST(\($0) AS REAL)" }, unless: isNumber)
    case .unixSeconds:
      self.init("a number", { "CAST(\($0) AS REAL) - 978307200.0" }, unless: isNumber)
    case .unixMilliseconds:
      self.init("a number", { "(\($0) - 978307200000) / 1000.0" }, unless: isNumber)
    case .iso8601: self = .iso8601
    }
  }

  /// The seconds are computed without their fraction, which SQLite would round to milliseconds.
  private static var iso8601: AdoptedValue {
    AdoptedValue(
      "a date in the format ISO 8601",
      { value in
        "CAST(\(wholeSeconds(value)) AS INTEGER) - 978307200 + "
          + "CASE substr(\(value), 20, 1) WHEN '.' THEN CAST('0' || substr(\(value), 20) AS REAL) "
          + "ELSE 0.0 END"
      },
      unless: { value in
        "(typeof(\(value)) <> 'text' OR \(value) NOT GLOB "
          + "'[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' "
          + "OR date(substr(\(value), 1, 10), '+0 days') IS NOT substr(\(value), 1, 10) "
          + "OR \(wholeSeconds(value)) IS NULL)"
      })
  }

  private static func wholeSeconds(_ value: String) -> String {
    "strftime('%s', substr(\(value), 1, 19) || CASE substr(\(value), 20, 1) "
      + "WHEN '.' THEN ltrim(substr(\(value), 21), '0123456789') ELSE substr(\(value), 20) END)"
  }
}
