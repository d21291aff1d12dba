package import Magical
package import MagicSQLite

extension ValueDigest {
  /// The mark that a value has when it is stored; nil for one without a stored form.
  package init?(of value: some Magical) {
    var writer = MarkWriter()
    guard (try? value.write(to: &writer)) != nil, let mark = writer.mark else { return nil }
    self = mark
  }
}

private struct MarkWriter: MagicalWriter {
  private(set) var mark: ValueDigest?

  mutating func write(integer: Int64) { mark = ValueDigest(integer: integer) }
  mutating func write(real: Double) { mark = ValueDigest(real: real) }
  mutating func write(text: UnsafeRawBufferPointer) { mark = ValueDigest(text: text) }
  mutating func write(blob: UnsafeRawBufferPointer) { mark = ValueDigest(blob: blob) }
}
