import Magical

extension RowPacker {
  /// Returns the bytes of a vector, and whether they are whole numbers of four bytes.
  @inlinable
  func vector(
    _ bytes: UnsafeRawBufferPointer
  ) -> (bytes: UnsafeRawBufferPointer, isValid: Bool) {
    (bytes, bytes.count % MemoryLayout<Float>.size == 0)
  }
}
