package import Magical
package import MagicSQLite

extension ValueMark {
  /// The mark that a value has when it is stored; nil for one without a stored form.
  package init?(of value: some Magical) {
    var writer = MarkWriter()
    guard (try? value.write(to: &writer)) != nil, let mark = writer.mark else { return nil }
    self = mark
  }
}

private struct MarkWriter: MagicalWriter {
  private(set) var mark: ValueMark?

  mutating func write(integer: Int64) { mark = ValueMark(integer: integer) }
  mutating func write(real: Double) { mark = ValueMark(real: real) }
  mutating func write(text: UnsafeRawBufferPointer) { mark = ValueMark(text: text) }
  mutating func write(blob: UnsafeRawBufferPointer) { mark = ValueMark(blob: blob) }
}
