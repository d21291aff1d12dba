public import Foundation
import Magical

extension RowPacker {
  @usableFromInline
  func uuid(of text: UnsafeRawBufferPointer) -> UUID? { UUID(text: text) }

  /// Returns the bytes of a UUID, and whether their number is right.
  @inlinable
  func uuidBytes(
    _ bytes: UnsafeRawBufferPointer
  ) -> (bytes: UnsafeRawBufferPointer, isValid: Bool) { (bytes, bytes.count == 16) }
}
