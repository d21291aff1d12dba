package import MagicRuntime
package import Magical

extension ValueDigest {
  /// Creates the digest of the stored form of a value. Nil for a value that cannot be stored.
  package init?(of value: some Magical) {
    var writer = DigestWriter()
    guard (try? value.write(to: &writer)) != nil, let digest = writer.digest else { return nil }
    self = digest
  }
}

private struct DigestWriter: MagicalWriter {
  private(set) var digest: ValueDigest?

  mutating func write(integer: Int64) { digest = ValueDigest(integer: integer) }
  mutating func write(real: Double) { digest = ValueDigest(real: real) }
  mutating func write(text: UnsafeRawBufferPointer) { digest = ValueDigest(text: text) }
  mutating func write(blob: UnsafeRawBufferPointer) { digest = ValueDigest(blob: blob) }
}
