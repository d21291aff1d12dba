/// A digest of a stored value in nine bytes. Numbers, and texts and blobs of up to eight bytes, are
/// represented exactly; longer ones by a 64-bit hash whose seed is specific to this process.
///
/// Unlike a comparison in SQL, digests distinguish 0.0 from −0.0 and 1 from 1.0.
package struct ValueDigest: Hashable, Sendable {
  /// The storage class, from 1 on: integer, real, text, blob, NULL. For a short text or blob the
  /// upper four bits contain the length plus one.
  package let kind: UInt8
  package let bits: UInt64

  /// The number of bytes of ``kind`` and ``bits``.
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

  /// Reads one of several digests that are stored consecutively.
  package init?(_ digests: UnsafeRawBufferPointer, at index: Int) {
    let start = index * Self.size
    guard start >= 0, start + Self.size <= digests.count else { return nil }
    kind = digests[start]
    bits = digests.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self)
  }

  /// Writes ``size`` bytes, which ``init(_:at:)`` can read.
  package func write(to place: UnsafeMutableRawPointer) {
    place.storeBytes(of: kind, as: UInt8.self)
    place.storeBytes(of: bits, toByteOffset: 1, as: UInt64.self)
  }
}
