public import Foundation
public import MagicSchema
import Magical

extension RowPacker {
  @usableFromInline
  func uuid(of text: UnsafeRawBufferPointer) -> UUID? { UUID(text: text) }

  /// Returns bytes, and whether they are the sixteen of a UUID, or four for each number of a vector.
  @inlinable @inline(__always)
  func sized(
    _ bytes: UnsafeRawBufferPointer, _ codec: ColumnCodec
  ) -> (bytes: UnsafeRawBufferPointer, isValid: Bool) {
    switch codec {
    case .uuidBytes: (bytes, bytes.count == 16)
    case .vector: (bytes, bytes.count % MemoryLayout<Float>.size == 0)
    default: (bytes, true)
    }
  }
}
