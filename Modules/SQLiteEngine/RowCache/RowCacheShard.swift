import MagicEngine
import MagicRuntime
import MagicSQLite

/// A part of the rows of a ``RowCache``, with a lock of its own.
///
/// Rows are in sets of four places. A row is evicted if it was not found since the last search for
/// rows to evict in its place ("clock"; Corbató, A Paging Experiment with the Multics System, 1968).
final class RowCacheShard: Locked, @unchecked Sendable {
  // All are guarded by the lock.
  /// The header of the log's index for which the rows are valid; nil before the first read.
  @exclusivity(unchecked) private var logHeader: LogHeader?
  /// The number of the commit with this header.
  @exclusivity(unchecked) private(set) var commit: UInt64 = 0
  /// Rows that were read before the commit with this number are outdated.
  @exclusivity(unchecked) private var oldestValid: UInt64 = 0
  /// The numbers of the last commits that have changed a row, by the hash of the row.
  @exclusivity(unchecked) private var changed: [UInt64] = []
  @exclusivity(unchecked) private var places: [Place] = []
  @exclusivity(unchecked) private var hand = 0
  /// The memory of the rows and tables, in bytes.
  @exclusivity(unchecked) private var size = 0
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private(set) var statistics = MagicCacheStatistics()
  private let maximumSize: Int

  private struct Place {
    var hash = 0
    var row: CachedRow?
  }

  private static let placesInSet = 4

  /// - Parameter maximumSize: the maximum memory of the rows and tables, in bytes.
  init(maximumSize: Int) { self.maximumSize = maximumSize }

  /// Creates the tables, each of a power of two of elements.
  private func makeTables() {
    places = Array(repeating: Place(), count: Self.placesInSet)
    var changedCount = 512
    while changedCount > 1, changedCount * MemoryLayout<UInt64>.stride > maximumSize / 8 {
      changedCount /= 2
    }
    changed = Array(repeating: 0, count: changedCount)
    size =
      places.capacity * MemoryLayout<Place>.stride + changed.capacity * MemoryLayout<UInt64>.stride
    // Earlier changes were not applied, and there were no rows.
    oldestValid = max(oldestValid, commit)
  }

  /// The memory of the rows and tables, in bytes, computed from them. Called with the lock held.
  var memory: Int {
    let tables =
      places.capacity * MemoryLayout<Place>.stride + changed.capacity * MemoryLayout<UInt64>.stride
    return places.reduce(tables) { $0 + ($1.row?.size ?? 0) }
  }

  /// Whether the shard has the header of an index. Called with the lock held.
  @inline(__always)
  func isCurrent(_ index: UnsafeRawPointer) -> Bool { logHeader?.isCurrent(index) ?? false }

  /// Applies what the last commits have changed. Called with the lock held.
  func update(to commits: RecentCommits) {
    if commits.unknownUpTo > commit {
      oldestValid = commits.unknownUpTo
    }
    if !changed.isEmpty {
      commits.forEachChange(after: commit) { commit, row in
        let place = changedPlace(of: row)
        changed[place] = max(changed[place], commit)
      }
    }
    (logHeader, commit) = (commits.header, commits.number)
  }

  /// Removes all rows. Called with the lock held.
  func removeAll(_ commits: RecentCommits) {
    (logHeader, commit, oldestValid) = (nil, commits.number, commits.number)
    (places, changed, size, count, hand) = ([], [], 0, 0, 0)
  }

  /// Returns a row. Called with the lock held.
  @inline(__always)
  func find(_ key: RowKey, _ countsMisses: Bool) -> CachedRow? {
    guard let place = place(of: key), let row = places[place].row, isValid(row) else {
      if countsMisses { statistics.misses += 1 }
      return nil
    }
    row.header.isReferenced = true
    statistics.hits += 1
    return row
  }

  /// Adds a row. Called with the lock held.
  func insert(_ row: CachedRow, for key: RowKey) {
    if places.isEmpty { makeTables() }
    if place(of: key) == nil { growIfNeeded(for: key) }
    let place = place(of: key) ?? freePlace(in: set(of: key.hash))
    if places[place].row != nil { remove(place) }
    places[place] = Place(hash: key.hash, row: row)
    count += 1
    size += row.size
    while size > maximumSize, count > 0 { evictNext() }
  }

  private func set(of hash: Int) -> Range<Int> {
    // The lower bits have chosen the shard.
    let first = (hash >> 8) & (places.count - 1) & ~(Self.placesInSet - 1)
    return first..<first + Self.placesInSet
  }

  @inline(__always)
  private func place(of key: RowKey) -> Int? {
    guard !places.isEmpty else { return nil }
    return set(of: key.hash).first { place in
      places[place].hash == key.hash && (places[place].row?.has(key) ?? false)
    }
  }

  private func isValid(_ row: CachedRow) -> Bool {
    row.header.commit >= oldestValid
      && row.header.commit >= changed[changedPlace(of: row.header.rowHash)]
  }

  private func changedPlace(of row: UInt64) -> Int {
    Int(truncatingIfNeeded: row) & (changed.count - 1)
  }

  /// Returns a place for a new row: an empty one, or that of a row to evict.
  private func freePlace(in set: Range<Int>) -> Int {
    if let empty = set.first(where: { places[$0].row == nil }) { return empty }
    for place in set where !takeReference(place) { return evicted(place) }
    return evicted(set.lowerBound)
  }

  private func evicted(_ place: Int) -> Int {
    statistics.evictions += 1
    remove(place)
    return place
  }

  /// Returns whether a row is valid and was found since the last call.
  private func takeReference(_ place: Int) -> Bool {
    guard let row = places[place].row else { return false }
    defer { row.header.isReferenced = false }
    return row.header.isReferenced && isValid(row)
  }

  private func evictNext() {
    while true {
      hand = (hand + 1) & (places.count - 1)
      if places[hand].row != nil, !takeReference(hand) {
        _ = evicted(hand)
        return
      }
    }
  }

  private func remove(_ place: Int) {
    guard let row = places[place].row else { return }
    places[place].row = nil
    count -= 1
    size -= row.size
  }

  /// Grows the table until the set of a key has an empty place, unless few places are used: then many
  /// keys have the same set; and unless the table would need more than half of the memory.
  private func growIfNeeded(for key: RowKey) {
    while count >= places.count / 4,
      4 * places.count * MemoryLayout<Place>.stride <= maximumSize,
      !set(of: key.hash).contains(where: { places[$0].row == nil })
    { grow() }
  }

  private func grow() {
    let old = places
    places = Array(repeating: Place(), count: old.count * 2)
    size += (places.capacity - old.capacity) * MemoryLayout<Place>.stride
    for place in old {
      guard let row = place.row else { continue }
      if isValid(row), let free = set(of: place.hash).first(where: { places[$0].row == nil }) {
        places[free] = place
      } else {
        count -= 1
        size -= row.size
      }
    }
  }
}
