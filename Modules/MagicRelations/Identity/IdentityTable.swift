import MagicSchema

/// The positions of the elements of a set, by the keys that the elements had when they were last
/// read.
///
/// A key in the table may be outdated. Therefore every element that is found is compared by its
/// current keys. If an element has received a key since the last read, that key is missing from the
/// table. ``IdentityEpoch`` shows when keys may be missing and must be read again.
struct IdentityTable {
  private struct Entry {
    var hashes: IdentityKeys.Hashes
    /// Increases with each insertion, to sort the entries by insertion.
    var stamp: Int
    /// The index of the element in `unsaved`; nil for a saved element.
    var unsavedIndex: Int?
  }

  private var entries: [Entry] = []
  private var positions = PositionTable()
  /// The positions of the elements that were unsaved.
  private var unsaved: [Int] = []
  /// The number of elements that had no primary value.
  private var withoutPrimaryCount = 0
  private var version = IdentityEpoch.current
  private var nextStamp = 0

  init() {}

  init(of members: Members) {
    entries.reserveCapacity(members.count)
    positions.reserve(members.count * (members.schema.primary == nil ? 2 : 3))
    for position in 0..<members.count {
      append(IdentityKeys(of: members[position], version: version))
    }
  }

  /// Returns the position of an element that is the same object: a copy of the instance, otherwise
  /// the same row, otherwise an object with the same primary value.
  mutating func position(of keys: IdentityKeys, in members: Members) -> Int? {
    if let same = positions.first(
      keys.hashes.instance, where: { keys.matchesInstance(of: members[$0]) })
    {
      return same
    }
    if let same = positionOfRow(keys, in: members) { return same }
    // Since the last read, unsaved elements may have been saved, and elements without a primary
    // value may have received one.
    if keys.row != nil || keys.primary != nil && withoutPrimaryCount > 0 {
      if refresh(members), let same = positionOfRow(keys, in: members) { return same }
    }
    guard let hash = keys.hashes.primary else { return nil }
    return positions.first(hash) { keys.matchesPrimary(of: members[$0]) }
  }

  private func positionOfRow(_ keys: IdentityKeys, in members: Members) -> Int? {
    guard let hash = keys.hashes.row else { return nil }
    return positions.first(hash) { keys.matchesRow(of: members[$0]) }
  }

  /// The positions in the order of insertion.
  var insertionOrder: [Int] {
    entries.indices.sorted { entries[$0].stamp < entries[$1].stamp }
  }
}

extension IdentityTable {
  mutating func append(_ keys: IdentityKeys) {
    let position = entries.count
    entries.append(Entry(hashes: keys.hashes, stamp: nextStamp))
    nextStamp += 1
    insertHashes(position, isSaved: keys.row != nil)
    limitVersion(to: keys.version)
  }

  mutating func replace(at position: Int, with keys: IdentityKeys) {
    entries[position].stamp = nextStamp
    nextStamp += 1
    change(position, to: keys)
    limitVersion(to: keys.version)
  }

  /// Removes an element. The last element moves to its position.
  mutating func remove(at position: Int) {
    let last = entries.count - 1
    removeHashes(position)
    if position < last {
      let entry = entries[last]
      entry.hashes.forEach { positions.move(last, to: position, $0) }
      if let place = entry.unsavedIndex { unsaved[place] = position }
      entries[position] = entry
    }
    entries.removeLast()
  }

  /// Returns the table for a subset of the elements.
  func keeping(_ kept: [Int]) -> IdentityTable {
    var table = IdentityTable()
    table.version = version
    table.nextStamp = nextStamp
    table.entries = kept.map { entries[$0] }
    for position in table.entries.indices {
      let isSaved = table.entries[position].unsavedIndex == nil
      table.entries[position].unsavedIndex = nil
      table.insertHashes(position, isSaved: isSaved)
    }
    return table
  }
}

extension IdentityTable {
  /// Reads the keys of elements again if they may have changed. These are the unsaved elements, or
  /// all elements if an object of the process has lost its row since the last read: it may have
  /// another row now.
  ///
  /// - Returns: whether any keys were read.
  private mutating func refresh(_ members: Members) -> Bool {
    let now = IdentityEpoch.current
    guard now != version else { return false }
    if now.departures == version.departures {
      // In reverse order: an element that is saved now is removed from the list, and the last
      // element moves to its index.
      for place in unsaved.indices.reversed() {
        let position = unsaved[place]
        guard entries[position].hashes.primary == nil || members[position].identity != nil else {
          continue
        }
        refreshKeys(at: position, members, now)
      }
    } else {
      for position in entries.indices { refreshKeys(at: position, members, now) }
    }
    version = now
    return true
  }

  private mutating func refreshKeys(
    at position: Int, _ members: Members, _ version: IdentityEpoch
  ) {
    let keys = IdentityKeys(of: members[position], version: version)
    if keys.hashes != entries[position].hashes { change(position, to: keys) }
  }

  /// Keeps the oldest version: the table is only as current as the element whose keys were read
  /// first.
  private mutating func limitVersion(to version: IdentityEpoch) {
    if version.changes < self.version.changes || version.departures < self.version.departures {
      self.version = version
    }
  }

  private mutating func change(_ position: Int, to keys: IdentityKeys) {
    removeHashes(position)
    entries[position].hashes = keys.hashes
    insertHashes(position, isSaved: keys.row != nil)
  }

  private mutating func insertHashes(_ position: Int, isSaved: Bool) {
    entries[position].hashes.forEach { positions.insert(position, $0) }
    if entries[position].hashes.primary == nil { withoutPrimaryCount += 1 }
    guard !isSaved else { return }
    entries[position].unsavedIndex = unsaved.count
    unsaved.append(position)
  }

  private mutating func removeHashes(_ position: Int) {
    entries[position].hashes.forEach { positions.remove(position, $0) }
    if entries[position].hashes.primary == nil { withoutPrimaryCount -= 1 }
    guard let place = entries[position].unsavedIndex else { return }
    entries[position].unsavedIndex = nil
    let last = unsaved.removeLast()
    guard place < unsaved.count else { return }
    unsaved[place] = last
    entries[last].unsavedIndex = place
  }
}
