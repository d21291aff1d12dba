import Magical
import MagicSchema

/// How the values of a column become those of another type.
struct TypeConversion {
  /// The expression that makes the new value of the old one.
  let expression: (String) -> String
  /// Holds for values that have no counterpart; nil where all have one.
  let violation: ((String) -> String)?
  /// Whether it may take something away, so that it must be asked for.
  let isNarrowing: Bool

  /// - Returns: nil where only a closure could tell.
  init?(from type: String, to column: ColumnSchema) {
    let codec = column.codec
    switch (type.uppercased(), column.storageClass) {
    case ("INTEGER", .real) where codec == .double || codec == .float:
      self.init(isNarrowing: false, { "CAST(\($0) AS REAL)" }) { value in
        // Above 2^53 not every integer is a real number.
        "typeof(\(value)) IN ('text', 'blob') OR typeof(\(value)) = 'integer' AND "
          + "(\(value) NOT BETWEEN \(codec == .float ? "-16777216 AND 16777216" : "-9007199254740992 AND 9007199254740992"))"
      }
    case ("INTEGER", .text) where column.valueType == String.self:
      self.init(isNarrowing: false, { "CAST(\($0) AS TEXT)" }, nil)
    case ("TEXT", .blob) where codec == .data || codec == .bytes:
      self.init(isNarrowing: false, { "CAST(\($0) AS BLOB)" }, nil)
    case ("", .integer):
      guard let range = codec.integers else { return nil }
      self.init(isNarrowing: true, { "CAST(\($0) AS INTEGER)" }) { value in
        "\(value) IS NOT NULL AND (\(value) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound) "
          + "OR CAST(CAST(\(value) AS INTEGER) AS REAL) <> \(value))"
      }
    case ("TEXT", .integer):
      guard let range = codec.integers else { return nil }
      self.init(isNarrowing: true, { "CAST(\($0) AS INTEGER)" }) { value in
        "CAST(CAST(\(value) AS INTEGER) AS TEXT) <> \(value) "
          + "OR CAST(\(value) AS INTEGER) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      }
    case ("TEXT", .real) where codec == .double:
      // A text that is a number to JSON, which ends at a NUL, is the same number to SQLite.
      self.init(isNarrowing: true, { "CAST(\($0) AS REAL)" }) { value in
        "CASE WHEN json_valid(\(value)) AND instr(\(value), char(0)) = 0 "
          + "THEN json_type(\(value)) NOT IN ('integer', 'real') ELSE \(value) IS NOT NULL END"
      }
    default: return nil
    }
  }

  private init(
    isNarrowing: Bool, _ expression: @escaping (String) -> String,
    _ violation: ((String) -> String)?
  ) {
    self.isNarrowing = isNarrowing
    self.expression = expression
    self.violation = violation
  }
}

extension ColumnCodec {
  /// The integers that a type of integers holds; nil for other types.
  fileprivate var integers: ClosedRange<Int64>? {
    switch self {
    case .int8: -0x80...0x7F
    case .int16: -0x8000...0x7FFF
    case .int32: -0x8000_0000...0x7FFF_FFFF
    case .int, .int64: .min ... .max
    case .uint8: 0...0xFF
    case .uint16: 0...0xFFFF
    case .uint32: 0...0xFFFF_FFFF
    case .uint, .uint64: 0 ... .max
    default: nil
    }
  }
}
