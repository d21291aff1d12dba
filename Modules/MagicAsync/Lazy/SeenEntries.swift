import MagicEngine

/// The entries of a list that its pages have read, in order, with their positions at that time. The
/// last 65,536 entries are kept: 1 MiB.
///
/// Entries that were moved or removed since then are kept too. An unmoved entry marks a valid
/// position in the list, even if all other entries were moved.
struct SeenEntries: Sendable {
  /// The approximate maximum number of entries. Whole chunks are discarded.
  static var limit: Int { 65_536 }

  private static var chunkSize: Int { 512 }

  /// Every chunk is nonempty.
  private var chunks: [[ListEntry]] = []
  private(set) var count = 0
  /// Whether no chunk was discarded.
  private(set) var isComplete = true

  var first: ListEntry? { chunks.first?.first }
  var last: ListEntry? { chunks.last?.last }

  mutating func append(_ entries: [ListEntry]) {
    if entries.count <= Self.chunkSize {
      if !entries.isEmpty { chunks.append(entries) }
    } else {
      for start in stride(from: 0, to: entries.count, by: Self.chunkSize) {
        chunks.append(Array(entries[start...].prefix(Self.chunkSize)))
      }
    }
    count += entries.count
    var discarded = 0
    while count > Self.limit, discarded < chunks.count - 1 {
      count -= chunks[discarded].count
      discarded += 1
    }
    guard discarded > 0 else { return }
    chunks.removeFirst(discarded)
    isComplete = false
  }

  /// Returns the number of entries after an unmoved entry, or nil if all entries were moved. The
  /// last entry must have been moved.
  ///
  /// The result need not be for the last unmoved entry. Entries that are moved together are
  /// adjacent, so the search first tests the entries at distances 2, 4, 8, … from the end, and
  /// tests all others only if these were all moved.
  func countAfterUnmoved(_ isUnmoved: (ListEntry) throws -> Bool) rethrows -> Int? {
    var step = 2
    while step < count {
      if try isUnmoved(self[fromEnd: step - 1]) { return step - 1 }
      step *= 2
    }
    if let first, try isUnmoved(first) { return count - 1 }
    var after = 0
    for chunk in chunks.reversed() {
      if let index = try chunk.lastIndex(where: isUnmoved) {
        return after + chunk.count - 1 - index
      }
      after += chunk.count
    }
    return nil
  }

  /// Searches the list for the members of some of the last entries. Returns the current position of
  /// the first member that is found, and the number of entries that followed its entry. Nil if none
  /// of these members is in the list.
  func newPosition(
    _ find: (ListEntry) throws -> Int64?
  ) rethrows -> (position: Int64, countAfter: Int)? {
    var step = 1
    while step <= count {
      if let position = try find(self[fromEnd: step - 1]) { return (position, step - 1) }
      step *= 2
    }
    return nil
  }

  /// Removes the last entries, and passes them to the closure.
  mutating func removeLast(_ number: Int, _ take: (ListEntry) -> Void) {
    var rest = min(number, count)
    count -= rest
    while rest > 0, let chunk = chunks.popLast() {
      chunk.suffix(rest).forEach(take)
      if chunk.count > rest { chunks.append(chunk.dropLast(rest)) }
      rest -= min(rest, chunk.count)
    }
  }

  private subscript(fromEnd distance: Int) -> ListEntry {
    var rest = distance
    var index = chunks.count - 1
    while rest >= chunks[index].count {
      rest -= chunks[index].count
      index -= 1
    }
    return chunks[index][chunks[index].count - 1 - rest]
  }
}
