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
    case 1700: return try NumericValue(bytes).field(values)
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
        "The SQL returns a value of the PostgreSQL type \(type.oid). Cast it, for example to text.")
    }
  }

  /// Dates are stored as seconds since 2001-01-01.
  private static func seconds(_ since2000: Double) -> Double { since2000 - 366 * 86_400 }
}

/// A number of the type `numeric`, in its binary form.
private struct NumericValue {
  /// The digits to the base 10,000, the first of which has the weight.
  private let digits: [Int]
  private let weight: Int
  private let sign: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    func word(_ index: Int) -> Int {
      guard index * 2 + 2 <= bytes.count else { return 0 }
      return Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
    }
    digits = (0..<max(0, word(0))).map { word(4 + $0) }
    weight = word(1)
    sign = word(2) & 0xFFFF
  }

  /// A whole number of 64 bits is an integer, and any other number a floating-point number.
  func field(_ values: FieldBuffer) throws -> Field {
    switch sign {
    case 0xC000: return .null
    case 0xD000: return .real(.infinity)
    case 0xF000: return .real(-.infinity)
    default: break
    }
    let isNegative = sign == 0x4000
    if let whole = whole(isNegative) { return .integer(whole) }
    var text = isNegative ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index == 0 { text += "\(digit)" } else { text += String(10_000 + digit).dropFirst() }
    }
    text += "e\((weight - digits.count + 1) * 4)"
    return .real(Double(text) ?? 0)
  }

  private func whole(_ isNegative: Bool) -> Int64? {
    guard digits.count <= weight + 1, weight < 5 || digits.isEmpty else {
      return digits.isEmpty ? 0 : nil
    }
    var result: Int64 = 0
    for index in 0..<max(0, weight + 1) {
      let digit = Int64(index < digits.count ? digits[index] : 0)
      let (product, overflows) = result.multipliedReportingOverflow(by: 10_000)
      let (sum, exceeds) =
        isNegative
        ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflows || exceeds { return nil }
      result = sum
    }
    return result
  }
}
