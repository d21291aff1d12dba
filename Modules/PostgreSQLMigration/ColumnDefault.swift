import MagicEngine
import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLEngine
import PostgreSQLTables

/// The value of a new column in existing rows.
enum ColumnDefault {
  /// A literal.
  case literal(String)
  /// An expression that returns another value for each row.
  case generated(String)
  /// The content of an asset.
  case file
  /// There is no default, and the column accepts NULL.
  case null
  /// There is no default, and the column does not accept NULL.
  case missing

  /// - Throws: `MagicError` with `.cannotEncode` if the default has no stored form.
  init(of column: ColumnSchema, in schema: ObjectSchema) throws {
    if column.isFile {
      switch column.capture(column.template, in: StoreToken(rawValue: 0), marking: { _ in }).state {
      case .unset, .lost: self = column.isNullable ? .null : .missing
      case .none: self = .literal("''")
      case .content: self = .file
      }
      return
    }
    var writer = LiteralWriter(type: column.type)
    let hasDefault = try namingProperty(schema, column) {
      try !(column is ToOneColumn) && column.write(column.template, to: &writer)
    }
    if hasDefault, let literal = writer.literal {
      self = .literal(literal)
    } else if column.role == .primary, let expression = Self.generated(for: column) {
      self = .generated(expression)
    } else {
      self = column.isNullable ? .null : .missing
    }
  }

  /// Returns an expression that generates a unique value of a primary property for each row.
  private static func generated(for column: ColumnSchema) -> String? {
    switch column.codec {
    case .int: "\"z_index\""
    case .uuid: "gen_random_uuid()"
    case .string: "upper(gen_random_uuid()::text)"
    case .uuidBytes: "uuid_send(gen_random_uuid())"
    default: nil
    }
  }
}

/// A writer that turns a value into an SQL literal of PostgreSQL.
struct LiteralWriter: MagicalWriter {
  let type: PostgreSQLType
  /// The literal; nil if nothing was written.
  private(set) var literal: String?

  init(type: PostgreSQLType) { self.type = type }

  mutating func write(integer: Int64) {
    switch type {
    case .boolean: literal = integer == 0 ? "false" : "true"
    default: literal = "'\(integer)'::\(type.shortName)"
    }
  }

  /// The shortest text that identifies the number; the server reads it exactly.
  mutating func write(real: Double) {
    let text = real.isInfinite ? (real > 0 ? "Infinity" : "-Infinity") : "\(real)"
    literal = "'\(text)'::double precision"
  }

  /// Escape sequences, because the literal must not depend on settings of the server.
  mutating func write(text: UnsafeRawBufferPointer) {
    var stored: [UInt8] = []
    PostgreSQLText.escape(text) { byte in
      switch byte {
      case 1...3: stored += Array("\\x0\(byte)".utf8)
      case UInt8(ascii: "'"): stored += Array("''".utf8)
      case UInt8(ascii: "\\"): stored += Array("\\\\".utf8)
      default: stored.append(byte)
      }
    }
    literal = "E'\(String(decoding: stored, as: UTF8.self))'::\(type.shortName)"
  }

  mutating func write(blob: UnsafeRawBufferPointer) {
    let digits = Array("0123456789abcdef")
    literal =
      "'\\x" + blob.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + "'::bytea"
  }
}
