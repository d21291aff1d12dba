/// The memory of texts whose stored form differs from their bytes: UUIDs, and texts with the
/// characters U+0000 to U+0003. Emptied for each row.
package final class TextMemory {
  @exclusivity(unchecked) private var parts: [UnsafeMutableRawBufferPointer] = []

  package init() {}

  func make(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 1)
    parts.append(part)
    return UnsafeMutableRawBufferPointer(rebasing: part[..<count])
  }

  package func removeAll() {
    guard !parts.isEmpty else { return }
    for part in parts { part.deallocate() }
    parts.removeAll(keepingCapacity: true)
  }

  deinit { removeAll() }
}
