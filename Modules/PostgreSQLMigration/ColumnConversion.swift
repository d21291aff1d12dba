import MagicMigration
import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLEngine
import PostgreSQLTables

/// A conversion of the values of a column to another type.
struct ColumnConversion {
  /// Returns the SQL expression that converts an old value.
  let expression: (String) -> String
  /// Returns the SQL condition for values that cannot be converted; nil if all values can.
  let violation: ((String) -> String)?
  /// Whether the new type cannot represent all values of the old type, so that the type must declare
  /// the conversion.
  let isNarrowing: Bool
  /// Whether digits of a value may be lost.
  let mayRound: Bool

  /// - Returns: nil if there is no automatic conversion and a closure is needed.
  init?(from old: PostgreSQLType, to column: ColumnSchema) {
    let (codec, new) = (column.codec, column.type)
    switch (old, new) {
    case (.bigint, .float8) where codec == .double || codec == .float:
      // Beyond the significand's range not every integer has an exact floating-point value.
      let limit = codec == .float ? "16777216" : "9007199254740992"
      self.init({ "\($0)::double precision" }) { "\($0) NOT BETWEEN -\(limit) AND \(limit)" }
    case (.boolean, .float8) where codec == .double || codec == .float:
      self.init { "\($0)::integer::double precision" }
    case (.boolean, .bigint): self.init { "\($0)::integer::bigint" }
    case (.bigint, .boolean): self.init({ "\($0) <> 0" }) { "\($0) NOT IN (0, 1)" }
    case (.bigint, .text) where column.valueType == String.self: self.init { "\($0)::text" }
    case (.boolean, .text) where column.valueType == String.self:
      self.init { "\($0)::integer::text" }
    case (.uuid, .text) where column.valueType == String.self: self.init { "upper(\($0)::text)" }
    case (.text, .uuid):
      self.init({ "\($0)::uuid" }) { "\($0) !~* '\(Self.uuid)'" }
    case (.bytea, .uuid):
      self.init({ "encode(\($0), 'hex')::uuid" }) { "octet_length(\($0)) <> 16" }
    case (.uuid, .bytea) where codec == .uuidBytes: self.init { "uuid_send(\($0))" }
    case (.text, .bytea) where codec == .uuidBytes:
      self.init({ "uuid_send(\($0)::uuid)" }) { "\($0) !~* '\(Self.uuid)'" }
    case (.text, .bytea) where codec == .data || codec == .bytes:
      // The stored form of a text with the characters U+0000 to U+0003 is not its bytes.
      self.init({ "convert_to(\($0), 'UTF8')" }) { "strpos(\($0), E'\\x01') > 0" }
    case (.float8, .bigint):
      guard let range = codec.integers else { return nil }
      // The upper bound of 64 bits has no floating-point value, but the number after it has.
      let upper = "\(range.upperBound)::numeric + 1"
      self.init(isNarrowing: true, { "\($0)::bigint" }) { value in
        "CASE WHEN \(value) BETWEEN -1e19 AND 1e19 THEN trunc(\(value)) <> \(value) "
          + "OR \(value)::numeric < \(range.lowerBound)::numeric OR \(value)::numeric >= \(upper) "
          + "ELSE \(value) IS NOT NULL END"
      }
    case (.text, .bigint):
      guard let range = codec.integers else { return nil }
      self.init(isNarrowing: true, { "\($0)::bigint" }) { value in
        "CASE WHEN \(value) ~ '^(0|-?[1-9][0-9]{0,18})$' THEN \(value)::numeric "
          + "NOT BETWEEN \(range.lowerBound)::numeric AND \(range.upperBound)::numeric "
          + "ELSE \(value) IS NOT NULL END"
      }
    case (.text, .float8) where codec == .double:
      self.init(isNarrowing: true, mayRound: true, { "\($0)::double precision" }) {
        "\($0) !~ '^-?(0|[1-9][0-9]{0,200})(\\.[0-9]{1,200})?([eE][-+]?[0-9]{1,2})?$'"
      }
    default: return nil
    }
  }

  private static let uuid = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

  private init(
    isNarrowing: Bool = false, mayRound: Bool = false, _ expression: @escaping (String) -> String,
    unless violation: ((String) -> String)? = nil
  ) {
    self.isNarrowing = isNarrowing
    self.mayRound = mayRound
    self.expression = expression
    self.violation = violation
  }
}
