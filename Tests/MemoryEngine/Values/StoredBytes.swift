import Foundation

/// The immutable bytes of a text or blob.
final class StoredBytes: @unchecked Sendable {
  /// The bytes, with a valid address even if there are none.
  let bytes: UnsafeRawBufferPointer

  init(_ source: UnsafeRawBufferPointer) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, source.count), alignment: 1)
    if let start = source.baseAddress { memory.copyMemory(from: start, byteCount: source.count) }
    bytes = UnsafeRawBufferPointer(start: memory, count: source.count)
  }

  deinit { bytes.baseAddress?.deallocate() }
}

extension StoredBytes {
  /// Negative if these bytes precede the others, 0 if both are equal.
  func order(to other: StoredBytes) -> Int {
    guard let left = bytes.baseAddress, let right = other.bytes.baseAddress else { return 0 }
    let order = memcmp(left, right, min(bytes.count, other.bytes.count))
    return order == 0 ? (bytes.count - other.bytes.count).signum() : Int(order)
  }

  /// Whether these bytes contain others.
  func contains(_ part: StoredBytes) -> Bool {
    guard part.bytes.count <= bytes.count else { return false }
    return (0...bytes.count - part.bytes.count).contains { start in
      bytes[start..<start + part.bytes.count].elementsEqual(part.bytes)
    }
  }
}
