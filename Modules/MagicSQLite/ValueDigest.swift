import CSQLite

/// Nine bytes that stand for a stored value and tell it from any other: numbers and texts of up to
/// eight bytes by what they are, longer ones by a hash of 64 bits with this process's own seed.
///
/// Unlike SQLite's comparison it tells 0.0 from −0.0 and 1 from 1.0.
package struct ValueDigest: Hashable, Sendable {
  /// SQLite's storage class; of a short text or blob also its length.
  package let kind: UInt8
  package let bits: UInt64

  /// What ``kind`` and ``bits`` take.
  static let size = 9

  package init(kind: UInt8, bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }

  /// The mark of a value.
  package init(_ column: SQLiteColumn) { self.init(value: column.value) }

  init(value: OpaquePointer?) {
    let type = sqlite3_value_type(value)
    switch type {
    case SQLITE_INTEGER:
      self.init(kind: 1, bits: UInt64(bitPattern: sqlite3_value_int64(value)))
    case SQLITE_FLOAT:
      self.init(kind: 2, bits: sqlite3_value_double(value).bitPattern)
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      self.init(
        class: 3,
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self.init(
        class: 4,
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: self.init(kind: 5, bits: 0)
    }
  }

  /// The mark of the integer.
  package init(integer: Int64) { self.init(kind: 1, bits: UInt64(bitPattern: integer)) }

  /// The mark of the number.
  package init(real: Double) { self.init(kind: 2, bits: real.bitPattern) }

  /// The mark of the text.
  package init(text: UnsafeRawBufferPointer) { self.init(class: 3, text) }

  /// The mark of the blob.
  package init(blob: UnsafeRawBufferPointer) { self.init(class: 4, blob) }

  private init(class storageClass: UInt8, _ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 8 else {
      var bits: UInt64 = 0
      for byte in bytes { bits = bits << 8 | UInt64(byte) }
      self.init(kind: storageClass | UInt8(truncatingIfNeeded: bytes.count + 1) << 4, bits: bits)
      return
    }
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    self.init(kind: storageClass, bits: UInt64(bitPattern: Int64(hasher.finalize())))
  }

  /// One of the marks that lie one behind the other.
  package init?(_ marks: UnsafeRawBufferPointer, at index: Int) {
    let start = index * Self.size
    guard start >= 0, start + Self.size <= marks.count else { return nil }
    kind = marks[start]
    bits = marks.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self)
  }

  func write(to place: UnsafeMutableRawPointer) {
    place.storeBytes(of: kind, as: UInt8.self)
    place.storeBytes(of: bits, toByteOffset: 1, as: UInt64.self)
  }
}
