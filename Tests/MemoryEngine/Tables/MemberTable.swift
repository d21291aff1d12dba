import MagicEngine
import MagicSchema

/// A member of an owner's collection.
struct Member: Sendable {
  let target: Int64
  /// What sorts a list through a join type before the positions; 0 in other collections.
  var sort: Int64 = 0
  /// The position in a list; 0 in other collections.
  var position: Int64 = 0
  /// The key in a dictionary; NULL in other collections.
  var key = StoredValue.null
}

/// The members of a collection, for all owners.
struct MemberTable: Sendable {
  let kind: LinkKind
  /// The members by owner, in the order of the collection: the positions of a list, the row IDs of
  /// a set, the keys of a dictionary.
  private var members = SortedMap<Int64, [Member]>()
  /// The owners by target, each once, ascending.
  private var owners = SortedMap<Int64, [Int64]>()
  /// The owners whose members the open transaction has written.
  private(set) var touched = SortedMap<Int64, Bool>()

  init(_ kind: LinkKind) { self.kind = kind }

  func members(of owner: Int64) -> [Member] { members[owner] ?? [] }

  /// The owners of a member.
  func owners(of target: Int64) -> [Int64] { owners[target] ?? [] }

  mutating func resetTouched() { touched = SortedMap() }

  /// Compares two members in the order of the collection: negative if the first precedes the
  /// second.
  func order(_ left: Member, _ right: Member) -> Int {
    switch kind {
    case .list:
      left.sort == right.sort && left.position == right.position
        ? 0 : (left.sort, left.position) < (right.sort, right.position) ? -1 : 1
    case .set: left.target == right.target ? 0 : left.target < right.target ? -1 : 1
    case .dictionary: StoredValue.order(left.key, right.key)
    }
  }

  /// Whether an owner has a member with the same position, row ID or key.
  func hasMember(at member: Member, of owner: Int64) -> Bool {
    find(member, of: owner).present != nil
  }

  /// The index of a member among those of an owner, and the target of the present member there.
  private func find(_ member: Member, of owner: Int64) -> (place: Int, present: Int64?) {
    guard let list = members[owner] else { return (0, nil) }
    let place = list.firstPlace { order($0, member) >= 0 }
    let isThere = place < list.count && order(list[place], member) == 0
    return (place, isThere ? list[place].target : nil)
  }

  /// Inserts a member, or replaces the one with the same position, row ID or key.
  mutating func insert(_ member: Member, of owner: Int64) {
    touched.insert(owner)
    let (place, present) = find(member, of: owner)
    if let present {
      members[owner, default: []][place] = member
      if present != member.target { removeOwner(owner, of: present) }
    } else {
      members[owner, default: []].insert(member, at: place)
    }
    owners[member.target, default: []].insert(owner)
  }

  /// Removes the member with the same position, row ID or key, if it has the same target.
  ///
  /// - Returns: Whether a member was removed.
  @discardableResult
  mutating func remove(_ member: Member, of owner: Int64) -> Bool {
    let (place, present) = find(member, of: owner)
    guard present == member.target else { return false }
    touched.insert(owner)
    members[owner, default: []].remove(at: place)
    removeOwner(owner, of: member.target)
    return true
  }

  /// Removes a target from the members of an owner.
  mutating func remove(target: Int64, of owner: Int64) {
    guard owners(of: target).contains(owner) else { return }
    touched.insert(owner)
    members[owner, default: []].removeAll { $0.target == target }
    removeOwner(owner, of: target)
  }

  /// Changes the list of an owner.
  ///
  /// - Returns: The result of the closure.
  mutating func writeList<Result>(
    of owner: Int64, _ body: (inout ListWriter) throws -> Result
  ) rethrows -> Result {
    var list = ListWriter(
      members(of: owner).map { ListEntry(position: $0.position, target: $0.target) })
    let result = try body(&list)
    let (removed, inserted) = list.differences
    for entry in removed {
      remove(Member(target: entry.target, position: entry.position), of: owner)
    }
    for entry in inserted {
      insert(Member(target: entry.target, position: entry.position), of: owner)
    }
    return result
  }

  /// Removes all members of an owner.
  mutating func removeAll(of owner: Int64) {
    guard let removed = members[owner] else { return }
    touched.insert(owner)
    members[owner] = nil
    for target in Set(removed.map(\.target)) { removeOwner(owner, of: target) }
  }

  /// Updates the owners of a target after a member was removed.
  private mutating func removeOwner(_ owner: Int64, of target: Int64) {
    if members(of: owner).contains(where: { $0.target == target }) { return }
    owners[target, default: []].removeAll { $0 == owner }
    if owners[target]?.isEmpty == true { owners[target] = nil }
    if members[owner]?.isEmpty == true { members[owner] = nil }
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
