import Magical

/// Writes one field of a buffer.
package struct FieldWriter: MagicalWriter {
  private let buffer: FieldBuffer
  private let index: Int

  package init(_ buffer: FieldBuffer, at index: Int) {
    self.buffer = buffer
    self.index = index
  }

  package func write(integer: Int64) { buffer.set(.integer(integer), at: index) }
  package func write(real: Double) { buffer.set(.real(real), at: index) }

  package func write(text: UnsafeRawBufferPointer) {
    buffer.set(buffer.copy(text: text), at: index)
  }

  package func write(blob: UnsafeRawBufferPointer) {
    buffer.set(buffer.copy(blob: blob), at: index)
  }
}
