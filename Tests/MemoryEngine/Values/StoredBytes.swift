import Foundation

/// The bytes of a text or blob, which never change.
final class StoredBytes: @unchecked Sendable {
  /// Have an address, also where there are none.
  let bytes: UnsafeRawBufferPointer

  init(_ source: UnsafeRawBufferPointer) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, source.count), alignment: 1)
    if let start = source.baseAddress { memory.copyMemory(from: start, byteCount: source.count) }
    bytes = UnsafeRawBufferPointer(start: memory, count: source.count)
  }

  deinit { bytes.baseAddress?.deallocate() }
}

extension StoredBytes {
  /// Less than 0 where these bytes come first, 0 where both are equal.
  func order(to other: StoredBytes) -> Int {
    guard let left = bytes.baseAddress, let right = other.bytes.baseAddress else { return 0 }
    let order = memcmp(left, right, min(bytes.count, other.bytes.count))
    return order == 0 ? (bytes.count - other.bytes.count).signum() : Int(order)
  }

  /// Whether other bytes are in it.
  func contains(_ part: StoredBytes) -> Bool {
    guard part.bytes.count <= bytes.count else { return false }
    return (0...bytes.count - part.bytes.count).contains { start in
      bytes[start..<start + part.bytes.count].elementsEqual(part.bytes)
    }
  }
}
