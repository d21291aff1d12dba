import MagicEngine
import MagicSchema

/// Writes the members of one owner's list. There are gaps between positions, so that two instances
/// of the owner can both insert. If a gap is full, all members after it are moved.
struct ListWriter {
  private(set) var table: MemberTable
  private let owner: Int64
  /// The new positions of moved members, by their positions before the save.
  private var moved: [Int64: Int64] = [:]

  private static let spacing: Int64 = 1 << 24

  init(_ table: MemberTable, _ owner: Int64) {
    self.table = table
    self.owner = owner
  }

  private var members: [Member] { table.members(of: owner) }

  /// Appends members.
  ///
  /// - Returns: Their positions.
  mutating func append(_ targets: [Int64]) throws -> [Int64] {
    let positions = try Self.positions(targets.count, after: members.last?.position ?? 0)
    insert(targets[...], at: positions)
    return positions
  }

  /// Applies the difference from the saved list. Other instances may have changed the list since.
  ///
  /// - Returns: The positions of all members.
  mutating func write(
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
      let places = try room(
        for: run.members.count, after: positions.last, atEnd: run.successor == nil)
      insert(targets[run.members], at: places)
      positions += places
    }
    keep(until: targets.count)
    return positions
  }

  private mutating func insert(_ targets: ArraySlice<Int64>, at positions: [Int64]) {
    for (target, position) in zip(targets, positions) {
      table.insert(Member(target: target, position: position), of: owner)
    }
  }

  /// Removes the member at a position, or else its occurrence that is nearest to the position.
  private mutating func remove(_ target: Int64, nearest position: Int64) {
    guard let found = members.nearestPosition(of: target, to: position) else { return }
    table.remove(Member(target: target, position: found), of: owner)
  }

  /// Returns positions for new members after a position, or at the front if it is nil.
  private mutating func room(
    for count: Int, after lower: Int64?, atEnd: Bool
  ) throws -> [Int64] {
    let next = members.first { $0.position > lower ?? .min }
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
    return try makeRoom(for: count, after: lower)
  }

  /// Moves all members after a position.
  private mutating func makeRoom(for count: Int, after lower: Int64) throws -> [Int64] {
    let following = members.filter { $0.position > lower }
    let places = try Self.positions(count + following.count, after: lower)
    for member in following { table.remove(member, of: owner) }
    var newPositions: [Int64: Int64] = [:]
    for (member, position) in zip(following, places[count...]) {
      table.insert(Member(target: member.target, position: position), of: owner)
      newPositions[member.position] = position
    }
    // The keys of `moved` are the original positions, also of members that are moved again.
    for (first, present) in moved {
      if let new = newPositions.removeValue(forKey: present) { moved[first] = new }
    }
    moved.merge(newPositions) { _, new in new }
    return Array(places[..<count])
  }

  private static func positions(_ count: Int, after start: Int64) throws -> [Int64] {
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

extension [Member] {
  /// The position of a target that is nearest to a position, or nil if the target is not a member.
  func nearestPosition(of target: Int64, to position: Int64) -> Int64? {
    lazy.filter { $0.target == target }.map(\.position)
      .min { distance($0, position) < distance($1, position) }
  }

  private func distance(_ left: Int64, _ right: Int64) -> UInt64 {
    left < right ? UInt64(bitPattern: right &- left) : UInt64(bitPattern: left &- right)
  }
}
