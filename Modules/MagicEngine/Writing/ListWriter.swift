package import MagicSchema

/// Changes the members of one owner's list in memory, for an engine that reads them first. There are
/// gaps between positions, so that two instances of the owner can both insert. If a gap is full, all
/// members after it are moved.
package struct ListWriter: Sendable {
  /// The stored members.
  private let before: [ListEntry]
  private var members: [ListEntry]
  /// The new positions of moved members, by their positions before the save.
  private var moved: [Int64: Int64] = [:]

  package static let spacing: Int64 = 1 << 24

  package init(_ members: [ListEntry]) { (before, self.members) = (members, members) }

  /// The removed and the inserted members. A member whose position changes is both.
  package var differences: (removed: [ListEntry], inserted: [ListEntry]) {
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.position, $0.target) })
    let new = Dictionary(uniqueKeysWithValues: members.map { ($0.position, $0.target) })
    return (
      before.filter { new[$0.position] != $0.target },
      members.filter { old[$0.position] != $0.target }
    )
  }

  /// Appends members.
  ///
  /// - Returns: their positions.
  package mutating func append(_ targets: [Int64]) throws -> [Int64] {
    let positions = try Self.positions(targets.count, after: members.last?.position ?? 0)
    insert(targets[...], at: positions)
    return positions
  }

  /// Applies the difference from the saved list. Other instances may have changed the list since.
  ///
  /// - Returns: the positions of all members.
  package mutating func write(
    _ targets: [Int64], _ saved: LinkSlice, _ difference: ListDifference
  ) throws -> [Int64] {
    let old = Array(saved.list.positions[saved.range])
    for place in difference.removed {
      remove(saved.list.targets[saved.start + place], nearest: old[place])
    }
    let removed = Set(difference.removed)
    var kept = old.indices.filter { !removed.contains($0) }.makeIterator()
    var positions: [Int64] = []
    // A member that another instance has removed or moved can have a smaller position than the
    // member before it. Its position is raised to that member's, so that later insertions follow
    // both.
    func keep(until count: Int) {
      while positions.count < count, let place = kept.next() {
        positions.append(max(moved[old[place]] ?? old[place], positions.last ?? .min))
      }
    }
    for run in difference.inserted {
      keep(until: run.members.lowerBound)
      let places = try newPositions(
        for: run.members.count, after: positions.last, atEnd: run.successor == nil)
      insert(targets[run.members], at: places)
      positions += places
    }
    keep(until: targets.count)
    return positions
  }

  private mutating func insert(_ targets: ArraySlice<Int64>, at positions: [Int64]) {
    guard let first = positions.first else { return }
    let new = zip(targets, positions).map { ListEntry(position: $1, target: $0) }
    members.insert(contentsOf: new, at: place(of: first))
  }

  /// The index of the first member whose position is not less.
  private func place(of position: Int64) -> Int {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes the member at a position, or else its occurrence that is nearest to the position.
  private mutating func remove(_ target: Int64, nearest position: Int64) {
    let place = place(of: position)
    if place < members.count,
      members[place] == ListEntry(position: position, target: target)
    {
      members.remove(at: place)
      return
    }
    let found = members.indices.filter { members[$0].target == target }
      .min { distance($0, position) < distance($1, position) }
    if let found { members.remove(at: found) }
  }

  private func distance(_ place: Int, _ position: Int64) -> UInt64 {
    let other = members[place].position
    return other < position
      ? UInt64(bitPattern: position &- other) : UInt64(bitPattern: other &- position)
  }

  /// Returns positions for new members after a position, or at the front if it is nil.
  private mutating func newPositions(
    for count: Int, after lower: Int64?, atEnd: Bool
  ) throws -> [Int64] {
    let next =
      lower.map { lower in members[place(of: lower)...].first { $0.position > lower } }
      ?? members.first
    guard !atEnd, let upper = next?.position else {
      return try Self.positions(
        count, after: max(members.last?.position ?? 0, lower ?? .min))
    }
    guard let lower else {
      let (start, overflow) = upper.subtractingReportingOverflow(Int64(count + 1) * Self.spacing)
      if overflow { throw Self.listFull() }
      return try Self.positions(count, after: start)
    }
    let (span, overflow) = upper.subtractingReportingOverflow(lower)
    let step = (overflow ? Int64.max : span) / Int64(count + 1)
    guard step < 1 else { return (0..<count).map { lower + Int64($0 + 1) * step } }
    return try moveFollowing(for: count, after: lower)
  }

  /// Moves all members after a position, and returns the positions before them.
  private mutating func moveFollowing(for count: Int, after lower: Int64) throws -> [Int64] {
    let start = members.firstIndex { $0.position > lower } ?? members.endIndex
    let following = members[start...]
    let places = try Self.positions(count + following.count, after: lower)
    var newPositions: [Int64: Int64] = [:]
    for (member, position) in zip(following, places[count...]) {
      newPositions[member.position] = position
    }
    members.replaceSubrange(
      start...,
      with: zip(following, places[count...]).map {
        ListEntry(position: $1, target: $0.target)
      })
    // The keys of `moved` are the original positions, also of members that are moved again.
    for (first, present) in moved {
      if let new = newPositions.removeValue(forKey: present) { moved[first] = new }
    }
    moved.merge(newPositions) { _, new in new }
    return Array(places[..<count])
  }

  /// Returns positions after another one, with gaps.
  package static func positions(_ count: Int, after start: Int64) throws -> [Int64] {
    let (_, overflow) = start.addingReportingOverflow(Int64(count) * spacing)
    if overflow { throw listFull() }
    return (0..<count).map { start + Int64($0 + 1) * spacing }
  }

  private static func listFull() -> MagicError {
    MagicError(
      .idsExhausted,
      "The list has no free positions for more members. Move its members to a list of a new object."
    )
  }
}
