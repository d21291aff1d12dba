import MagicSchema

/// Where the elements of a set are, by the keys they had when they were last looked at.
///
/// What it finds is looked at again, so a key that has changed does no harm. A key that came
/// later would be missed: ``IdentityEpoch`` says when to look for those.
struct IdentityTable {
  private struct Entry {
    var hashes: IdentityKeys.Hashes
    /// Orders the entries by insertion.
    var stamp: Int
    /// Where in `unsaved` the element is; nil for a saved one.
    var unsavedPlace: Int?
  }

  private var entries: [Entry] = []
  private var positions = PositionTable()
  /// The positions of the elements that were no rows.
  private var unsaved: [Int] = []
  /// How many elements had no primary value.
  private var unnamedCount = 0
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

  /// The position of an element that is the same object: a copy of the instance or else the same
  /// row or else one of the same primary value.
  mutating func position(of keys: IdentityKeys, in members: Members) -> Int? {
    if let same = positions.first(
      keys.hashes.instance, where: { keys.matchesInstance(of: members[$0]) })
    {
      return same
    }
    if let same = positionOfRow(keys, in: members) { return same }
    // Rows may have come to unsaved elements, and primary values to those that had none.
    if keys.row != nil || keys.primary != nil && unnamedCount > 0 {
      if refresh(members), let same = positionOfRow(keys, in: members) { return same }
    }
    guard let hash = keys.hashes.primary else { return nil }
    return positions.first(hash) { keys.matchesPrimary(of: members[$0]) }
  }

  private func positionOfRow(_ keys: IdentityKeys, in members: Members) -> Int? {
    guard let hash = keys.hashes.row else { return nil }
    return positions.first(hash) { keys.matchesRow(of: members[$0]) }
  }

  /// The positions in the order in which the elements were inserted.
  var insertionOrder: [Int] {
    entries.indices.sorted { entries[$0].stamp < entries[$1].stamp }
  }
}

extension IdentityTable {
  mutating func append(_ keys: IdentityKeys) {
    let position = entries.count
    entries.append(Entry(hashes: keys.hashes, stamp: nextStamp))
    nextStamp += 1
    enter(position, isSaved: keys.row != nil)
    remember(keys.version)
  }

  mutating func replace(at position: Int, with keys: IdentityKeys) {
    entries[position].stamp = nextStamp
    nextStamp += 1
    change(position, to: keys)
    remember(keys.version)
  }

  /// The last element takes the place of the removed one.
  mutating func remove(at position: Int) {
    let last = entries.count - 1
    leave(position)
    if position < last {
      let entry = entries[last]
      entry.hashes.forEach { positions.move(last, to: position, $0) }
      if let place = entry.unsavedPlace { unsaved[place] = position }
      entries[position] = entry
    }
    entries.removeLast()
  }

  /// The table of some of the elements.
  func keeping(_ kept: [Int]) -> IdentityTable {
    var table = IdentityTable()
    table.version = version
    table.nextStamp = nextStamp
    table.entries = kept.map { entries[$0] }
    for position in table.entries.indices {
      let isSaved = table.entries[position].unsavedPlace == nil
      table.entries[position].unsavedPlace = nil
      table.enter(position, isSaved: isSaved)
    }
    return table
  }
}

extension IdentityTable {
  /// Looks again at the elements that may have got keys: those that were unsaved, and all where an
  /// object of the process has left its row and may be another one now.
  ///
  /// - Returns: whether there was something to look for.
  private mutating func refresh(_ members: Members) -> Bool {
    let now = IdentityEpoch.current
    guard now != version else { return false }
    if now.departures == version.departures {
      // Backwards: one that is saved now leaves the list, and the last takes its place.
      for place in unsaved.indices.reversed() {
        let position = unsaved[place]
        guard entries[position].hashes.primary == nil || members[position].identity != nil else {
          continue
        }
        lookAgain(at: position, members, now)
      }
    } else {
      for position in entries.indices { lookAgain(at: position, members, now) }
    }
    version = now
    return true
  }

  private mutating func lookAgain(
    at position: Int, _ members: Members, _ version: IdentityEpoch
  ) {
    let keys = IdentityKeys(of: members[position], version: version)
    if keys.hashes != entries[position].hashes { change(position, to: keys) }
  }

  /// An element that was looked at earlier than all others sets the time for all.
  private mutating func remember(_ version: IdentityEpoch) {
    if version.changes < self.version.changes || version.departures < self.version.departures {
      self.version = version
    }
  }

  private mutating func change(_ position: Int, to keys: IdentityKeys) {
    leave(position)
    entries[position].hashes = keys.hashes
    enter(position, isSaved: keys.row != nil)
  }

  private mutating func enter(_ position: Int, isSaved: Bool) {
    entries[position].hashes.forEach { positions.insert(position, $0) }
    if entries[position].hashes.primary == nil { unnamedCount += 1 }
    guard !isSaved else { return }
    entries[position].unsavedPlace = unsaved.count
    unsaved.append(position)
  }

  private mutating func leave(_ position: Int) {
    entries[position].hashes.forEach { positions.remove(position, $0) }
    if entries[position].hashes.primary == nil { unnamedCount -= 1 }
    guard let place = entries[position].unsavedPlace else { return }
    entries[position].unsavedPlace = nil
    let last = unsaved.removeLast()
    guard place < unsaved.count else { return }
    unsaved[place] = last
    entries[last].unsavedPlace = place
  }
}
