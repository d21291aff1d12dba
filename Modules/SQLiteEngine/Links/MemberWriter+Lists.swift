import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// If a gap between two positions is used up, the members after it get new positions with gaps; see
/// ``ListPositions``.
extension MemberWriter {
  /// Returns positions after all members of the owner.
  func positionsAfterLast(_ count: Int) throws -> [Int64] {
    try positions(count, after: change.isNew ? 0 : lastPosition())
  }

  /// - Returns: the positions of all members.
  func writeList(
    _ targets: [Int64], _ saved: LinkSlice, _ difference: ListDifference
  ) throws -> [Int64] {
    let old = saved.list.positions[saved.range]
    let moved = column.isOwned ? difference.moved(to: targets) : []
    for index in difference.removed {
      let target = saved.list.targets[saved.start + index]
      // The new position of a member that moves in an owned list replaces the old one.
      if moved.contains(target) { continue }
      try remove(target, at: old[old.startIndex + index])
    }

    var positions: [Int64] = []
    positions.reserveCapacity(targets.count)
    var replaced: [Int64: Int64] = [:]
    var kept = KeptIndexes(count: saved.count, removed: difference.removed)
    // A member that another instance has deleted or moved is not at its old position. The position
    // is raised to at least that of the previous member, so that a member inserted after both is
    // sorted after both.
    func keep(until count: Int) {
      while positions.count < count {
        let position = old[old.startIndex + kept.next()]
        positions.append(max(replaced[position] ?? position, positions.last ?? .min))
      }
    }
    for run in difference.inserted {
      keep(until: run.members.lowerBound)
      let chosen = try freePositions(
        for: run.members.count, after: positions.last, atEnd: run.successor == nil, moved: &replaced
      )
      for (index, position) in zip(run.members, chosen) {
        try insert(targets[index]) { try $0.bind(position, at: 3) }
      }
      positions += chosen
    }
    keep(until: targets.count)
    return positions
  }

  /// Deletes one join row of owner and member: the one at the position, or the nearest one if
  /// another instance has moved it.
  private func remove(_ target: Int64, at position: Int64) throws {
    let isRemoved = try delete(target, third: { try $0.bind(position, at: 3) })
    if isRemoved || column.isOwned { return }
    let nearest = try statements.nearest
    try nearest.bind(change.ownerID, at: 1)
    try nearest.bind(target, at: 2)
    try nearest.bind(position, at: 3)
    let found = try nearest.step() ? nearest.column(0).integer : nil
    nearest.reset()
    if let found { try delete(target) { try $0.bind(found, at: 3) } }
  }

  /// Returns positions for members after a position, or for the front if it is nil. The positions
  /// fit the list in the database, in which another instance may have inserted members.
  private func freePositions(
    for count: Int, after lower: Int64?, atEnd: Bool, moved: inout [Int64: Int64]
  ) throws -> [Int64] {
    guard !atEnd, let upper = try nextPosition(after: lower) else {
      return try positions(count, after: max(lastPosition(), lower ?? .min))
    }
    let positions = try listPositions
    guard let lower else {
      guard let chosen = positions.before(upper, count: count) else { throw Self.listFull() }
      return chosen
    }
    if let chosen = positions.between(lower, upper, count: count) { return chosen }
    return try moveFollowing(for: count, after: lower, moved: &moved)
  }

  /// Gives new positions to the members after a position, to as few members as necessary.
  ///
  /// The positions of one save only grow, so all members that the save has already inserted are
  /// before the members that get new positions.
  private func moveFollowing(
    for count: Int, after lower: Int64, moved: inout [Int64: Int64]
  ) throws -> [Int64] {
    var limit = 32
    while true {
      let following = try following(lower, limit: limit + 1)
      let isEnd = following.count <= limit
      let window = isEnd ? following[...] : following.dropLast()
      let chosen: [Int64]?
      if isEnd {
        chosen = try positions(count + window.count, after: lower)
      } else {
        chosen = try listPositions.inWindow(
          from: lower, to: following[limit].position, count: count + window.count)
      }
      guard let chosen else {
        limit *= 2
        continue
      }
      for link in window { try delete(link.target) { try $0.bind(link.position, at: 3) } }
      var newPositions: [Int64: Int64] = [:]
      for (link, position) in zip(window, chosen[count...]) {
        try insert(link.target) { try $0.bind(position, at: 3) }
        newPositions[link.position] = position
      }
      // Members that were moved before are found by their original position.
      for (old, present) in moved {
        if let new = newPositions.removeValue(forKey: present) { moved[old] = new }
      }
      for (old, new) in newPositions { moved[old] = new }
      return Array(chosen[..<count])
    }
  }

  private func positions(_ count: Int, after start: Int64) throws -> [Int64] {
    guard let positions = try listPositions.after(start, count: count) else {
      throw Self.listFull()
    }
    return positions
  }

  /// Chooses positions as the file requires.
  private var listPositions: ListPositions {
    get throws {
      try store.rowIDs.readRange(Catalogue(connection: store.connection)).positions
    }
  }

  private static func listFull() -> MagicError {
    MagicError(
      .idsExhausted,
      "The list has no free positions for more members. Move its members to a list of a new object."
    )
  }

  private func lastPosition() throws -> Int64 {
    let last = try statements.lastPosition
    defer { last.reset() }
    try last.bind(change.ownerID, at: 1)
    return try last.step() ? last.column(0).integer : 0
  }

  private func nextPosition(after lower: Int64?) throws -> Int64? {
    let next = try statements.nextPosition
    defer { next.reset() }
    try next.bind(change.ownerID, at: 1)
    try next.bind(lower ?? Int64.min, at: 2)
    guard try next.step(), !next.column(0).isNull else { return nil }
    return next.column(0).integer
  }

  private func following(
    _ position: Int64, limit: Int
  ) throws -> [(position: Int64, target: Int64)] {
    let following = try statements.following
    defer { following.reset() }
    try following.bind(change.ownerID, at: 1)
    try following.bind(position, at: 2)
    try following.bind(Int64(limit), at: 3)
    var links: [(Int64, Int64)] = []
    while try following.step() {
      links.append((following.column(0).integer, try target(following.column(1))))
    }
    return links
  }
}

/// Iterates the indexes of the list elements that are not removed.
private struct KeptIndexes {
  private var index = 0
  private var nextRemoved = 0
  private let count: Int
  private let removed: [Int]

  init(count: Int, removed: [Int]) {
    self.count = count
    self.removed = removed
  }

  mutating func next() -> Int {
    while nextRemoved < removed.count, removed[nextRemoved] == index {
      nextRemoved += 1
      index += 1
    }
    defer { index += 1 }
    return min(index, count - 1)
  }
}

extension ListDifference {
  /// Returns the members that are inserted.
  fileprivate func moved(to targets: [Int64]) -> Set<Int64> {
    removed.isEmpty ? [] : Set(inserted.flatMap { targets[$0.members] })
  }
}
