import MagicSchema

/// A member of an owner's collection.
struct Member: Sendable {
  let target: Int64
  /// In lists; else 0.
  var position: Int64 = 0
  /// In dictionaries; else NULL.
  var key = StoredValue.null
}

/// The members of one collection of all owners.
struct MemberTable: Sendable {
  let kind: LinkKind
  /// By owner, in the order of the collection: positions of lists, row IDs of sets, keys of
  /// dictionaries.
  private var members = SortedMap<Int64, [Member]>()
  /// By target, each owner once, ascending.
  private var owners = SortedMap<Int64, [Int64]>()
  /// The owners whose members the transaction has touched.
  private(set) var touched = SortedMap<Int64, Bool>()

  init(_ kind: LinkKind) { self.kind = kind }

  func members(of owner: Int64) -> [Member] { members[owner] ?? [] }

  /// The owners that have a member.
  func owners(of target: Int64) -> [Int64] { owners[target] ?? [] }

  mutating func forgetTouched() { touched = SortedMap() }

  /// Where a member is among others, or would go: less than 0 where the first comes first.
  func order(_ left: Member, _ right: Member) -> Int {
    switch kind {
    case .list: left.position == right.position ? 0 : left.position < right.position ? -1 : 1
    case .set: left.target == right.target ? 0 : left.target < right.target ? -1 : 1
    case .dictionary: StoredValue.order(left.key, right.key)
    }
  }

  /// Whether an owner has a member at a member's place.
  func hasMember(at member: Member, of owner: Int64) -> Bool {
    find(member, of: owner).present != nil
  }

  /// A member's place among those of an owner, and the target of the one that is there.
  private func find(_ member: Member, of owner: Int64) -> (place: Int, present: Int64?) {
    guard let list = members[owner] else { return (0, nil) }
    let place = list.firstPlace { order($0, member) >= 0 }
    let isThere = place < list.count && order(list[place], member) == 0
    return (place, isThere ? list[place].target : nil)
  }

  /// Inserts a member. What is at its place is replaced.
  mutating func insert(_ member: Member, of owner: Int64) {
    touched.insert(owner)
    let (place, present) = find(member, of: owner)
    if let present {
      members[owner, default: []][place] = member
      if present != member.target { forget(owner, of: present) }
    } else {
      members[owner, default: []].insert(member, at: place)
    }
    owners[member.target, default: []].insert(owner)
  }

  /// Removes the member that is at a member's place and has its target.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  mutating func remove(_ member: Member, of owner: Int64) -> Bool {
    let (place, present) = find(member, of: owner)
    guard present == member.target else { return false }
    touched.insert(owner)
    members[owner, default: []].remove(at: place)
    forget(owner, of: member.target)
    return true
  }

  /// Removes a target from the members of an owner.
  mutating func remove(target: Int64, of owner: Int64) {
    guard owners(of: target).contains(owner) else { return }
    touched.insert(owner)
    members[owner, default: []].removeAll { $0.target == target }
    forget(owner, of: target)
  }

  /// Removes all members of an owner.
  mutating func removeAll(of owner: Int64) {
    guard let removed = members[owner] else { return }
    touched.insert(owner)
    members[owner] = nil
    for target in Set(removed.map(\.target)) { forget(owner, of: target) }
  }

  /// A member of an owner was removed.
  private mutating func forget(_ owner: Int64, of target: Int64) {
    if members(of: owner).contains(where: { $0.target == target }) { return }
    owners[target, default: []].removeAll { $0 == owner }
    if owners[target]?.isEmpty == true { owners[target] = nil }
    if members[owner]?.isEmpty == true { members[owner] = nil }
  }
}
