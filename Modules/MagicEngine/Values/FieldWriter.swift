import Magical

/// Writes one field of a buffer.
package struct FieldWriter: MagicalWriter {
  private let buffer: FieldBuffer
  private let place: Int

  package init(_ buffer: FieldBuffer, at place: Int) {
    self.buffer = buffer
    self.place = place
  }

  package func write(integer: Int64) { buffer.set(.integer(integer), at: place) }
  package func write(real: Double) { buffer.set(.real(real), at: place) }

  package func write(text: UnsafeRawBufferPointer) {
    buffer.set(buffer.copy(text: text), at: place)
  }

  package func write(blob: UnsafeRawBufferPointer) {
    buffer.set(buffer.copy(blob: blob), at: place)
  }
}
