/// Nine bytes that stand for a stored value and tell it from any other: numbers and texts of up to
/// eight bytes by what they are, longer ones by a hash of 64 bits with this process's own seed.
///
/// Unlike a comparison of SQL it tells 0.0 from −0.0 and 1 from 1.0.
package struct ValueDigest: Hashable, Sendable {
  /// The storage class: integer, real, text, blob or NULL, from 1 on; of a short text or blob also its length.
  package let kind: UInt8
  package let bits: UInt64

  /// What ``kind`` and ``bits`` take.
  package static let size = 9

  package init(kind: UInt8, bits: UInt64) {
    self.kind = kind
    self.bits = bits
  }

  /// The digest of NULL.
  package static let null = ValueDigest(kind: 5, bits: 0)

  /// The digest of the integer.
  package init(integer: Int64) { self.init(kind: 1, bits: UInt64(bitPattern: integer)) }

  /// The digest of the number.
  package init(real: Double) { self.init(kind: 2, bits: real.bitPattern) }

  /// The digest of the text.
  package init(text: UnsafeRawBufferPointer) { self.init(class: 3, text) }

  /// The digest of the blob.
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

  /// One of the digests that lie one behind the other.
  package init?(_ digests: UnsafeRawBufferPointer, at index: Int) {
    let start = index * Self.size
    guard start >= 0, start + Self.size <= digests.count else { return nil }
    kind = digests[start]
    bits = digests.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self)
  }

  /// Writes ``size`` bytes, which ``init(_:at:)`` reads.
  package func write(to place: UnsafeMutableRawPointer) {
    place.storeBytes(of: kind, as: UInt8.self)
    place.storeBytes(of: bits, toByteOffset: 1, as: UInt64.self)
  }
}
