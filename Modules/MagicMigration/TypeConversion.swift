import Magical
package import MagicSchema

/// A conversion of the values of a column to another type.
struct TypeConversion {
  /// Returns the SQL expression that converts an old value.
  let expression: (String) -> String
  /// Returns the SQL condition for values that cannot be converted; nil if all values can.
  let violation: ((String) -> String)?
  /// Whether the new type cannot represent all values of the old type, so that the type must
  /// declare the conversion. Values that it cannot represent are refused.
  let isNarrowing: Bool
  /// Whether digits of a value may be lost.
  var mayRound = false

  /// - Returns: nil if there is no automatic conversion and a closure is needed.
  init?(from type: String, to column: ColumnSchema) {
    let codec = column.codec
    switch (type.uppercased(), column.storageClass) {
    case ("INTEGER", .real) where codec == .double || codec == .float:
      self.init(isNarrowing: false, { "CAST(\($0) AS REAL)" }) { value in
        // Beyond the significand's range (2^53, or 2^24 for Float) not every integer has an exact
        // floating-point value.
        "typeof(\(value)) IN ('text', 'blob') OR typeof(\(value)) = 'integer' AND "
          + "(\(value) NOT BETWEEN \(codec == .float ? "-16777216 AND 16777216" : "-9007199254740992 AND 9007199254740992"))"
      }
    case ("INTEGER", .text) where column.valueType == String.self:
      self.init(isNarrowing: false, { "CAST(\($0) AS TEXT)" }, nil)
    case ("TEXT", .blob) where codec == .data || codec == .bytes:
      self.init(isNarrowing: false, { "CAST(\($0) AS BLOB)" }, nil)
    case ("TEXT", .blob) where codec == .uuidBytes:
      self.init(isNarrowing: false, UUIDConversion.bytes) { UUIDConversion.isInvalid(text: $0) }
    case ("BLOB", .text) where codec == .uuid:
      self.init(
        isNarrowing: false,
        { "CASE WHEN \($0) IS NOT NULL THEN \(UUIDConversion.text(ofBytes: $0)) END" }
      ) { "length(\($0)) <> 16" }
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
      // SQLite converts text that is a JSON number to the same number. JSON functions stop at a
      // NUL.
      self.init(isNarrowing: true, { "CAST(\($0) AS REAL)" }) { value in
        "CASE WHEN json_valid(\(value)) AND instr(\(value), char(0)) = 0 "
          + "THEN json_type(\(value)) NOT IN ('integer', 'real') ELSE \(value) IS NOT NULL END"
      }
      mayRound = true
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
  /// The range of an integer type; nil for other types.
  package var integers: ClosedRange<Int64>? {
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
