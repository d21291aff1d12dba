import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Reads the values of a column of a result, whose type may be any common type of PostgreSQL.
struct ColumnReader {
  private let type: PostgreSQLType

  init(_ type: PostgreSQLType) { self.type = type }

  /// Returns a value as a field of a buffer.
  ///
  /// - Throws: `MagicError` with `.cannotDecode` for a type that has no storage class.
  func field(
    of value: PostgreSQLValue, _ values: FieldBuffer, _ texts: TextMemory
  ) throws -> Field {
    guard let bytes = value.bytes else { return .null }
    switch type.oid {
    case 16, 17, 20, 25, 701, 2950: return values.field(of: ResultColumn(value, type, texts))
    // Integers of two and four bytes.
    case 21, 23: return .integer(value.integer)
    // Object identifiers.
    case 26: return .integer(value.integer & 0xFFFF_FFFF)
    case 700 where bytes.count == 4:
      let bits = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
      return .real(Double(Float(bitPattern: bits)))
    case 1700: return NumericValue(bytes).field()
    // A date, as days since 2000-01-01.
    case 1082: return .real(Self.seconds(Double(value.integer) * 86_400))
    // Times with and without a zone, as microseconds since 2000-01-01.
    case 1114, 1184: return .real(Self.seconds(Double(value.integer) / 1_000_000))
    // Texts, names, JSON, XML, and constants of no type.
    case 18, 19, 114, 142, 705, 1042, 1043:
      return values.field(of: ResultColumn(value, .text, texts))
    // The first byte of jsonb is the version of its form.
    case 3802:
      return values.copy(text: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    default:
      throw MagicError(
        .cannotDecode,
        "The SQL returns a value of the PostgreSQL type \(type.name). Cast it, for example to text."
      )
    }
  }

  /// Dates are stored as seconds since 2001-01-01.
  private static func seconds(_ since2000: Double) -> Double { since2000 - 366 * 86_400 }
}
