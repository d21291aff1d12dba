import CPostgreSQL

/// A value of a row in its binary form.
@frozen
@usableFromInline
package struct PostgreSQLValue {
  /// The bytes; nil for NULL. The bytes of a text are its stored form, see ``PostgreSQLText``.
  @usableFromInline package let bytes: UnsafeRawBufferPointer?

  @inlinable package init(bytes: UnsafeRawBufferPointer?) { self.bytes = bytes }

  /// A value of a result.
  init(_ result: OpaquePointer, _ row: Int32, _ column: Int32) {
    var length: Int32 = 0
    let start = magic_value(result, row, column, &length)
    bytes = start.map { UnsafeRawBufferPointer(start: $0, count: Int(length)) }
  }

  @inlinable package var isNull: Bool { bytes == nil }

  /// The value as an integer of one to eight bytes; 0 for NULL.
  @inlinable package var integer: Int64 {
    guard let bytes else { return 0 }
    switch bytes.count {
    case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 1: return Int64(bytes[0])
    default: return 0
    }
  }

  /// The value as a real number; 0 for NULL.
  @inlinable package var real: Double {
    guard let bytes, bytes.count == 8 else { return 0 }
    return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
  }

  /// The value as a text; "" for NULL.
  package var text: String {
    guard let bytes else { return "" }
    return PostgreSQLText.unescape(bytes).map { String(decoding: $0, as: UTF8.self) }
      ?? String(decoding: bytes, as: UTF8.self)
  }
}
