package import MagicSchema

/// A change of the members of one owner's collection.
package struct MemberChange {
  package let owner: ObjectSchema
  /// The index of the collection in the owner's type.
  package let collection: Int
  package let ownerID: Int64
  /// Whether the owner's row is new. If so, no members are stored for it.
  package let isNew: Bool
  /// The stored members, or nil if there are none.
  package let before: LinkSlice?
  /// The new members. The engine sets the positions of a list.
  package let after: LinkList
  package let difference: MemberDifference

  package init(
    owner: ObjectSchema, collection: Int, ownerID: Int64, isNew: Bool, before: LinkSlice?,
    after: LinkList, difference: MemberDifference
  ) {
    self.owner = owner
    self.collection = collection
    self.ownerID = ownerID
    self.isNew = isNew
    self.before = before
    self.after = after
    self.difference = difference
  }

  package var column: CollectionColumn { owner.collections[collection] }
}

/// The difference between the stored members and the new members.
package enum MemberDifference {
  /// All members are inserted, because none were stored.
  case insertAll
  case list(ListDifference)
  /// The row IDs of members.
  case set(removed: [Int64], inserted: [Int64])
  /// The indexes of removed members in the stored collection, and of inserted members in the new
  /// one.
  case dictionary(removed: [Int], inserted: [Int])
}

extension MemberDifference {
  /// Whether the stored members are the new ones.
  package var isEmpty: Bool {
    switch self {
    case .insertAll: false
    case .list(let difference): difference.removed.isEmpty && difference.inserted.isEmpty
    case .set(let removed, let inserted): removed.isEmpty && inserted.isEmpty
    case .dictionary(let removed, let inserted): removed.isEmpty && inserted.isEmpty
    }
  }

  /// Returns the members that are inserted.
  ///
  /// - Parameter targets: all new members.
  package func inserted(of targets: [Int64]) -> [Int64] {
    switch self {
    case .insertAll: targets
    case .set(_, let inserted): inserted
    case .list(let difference): difference.inserted.flatMap { targets[$0.members] }
    case .dictionary(_, let inserted): inserted.map { targets[$0] }
    }
  }
}

extension MemberChange: CustomStringConvertible {
  /// A short description for tests.
  package var description: String {
    let name = "\(owner.typeName).\(column.name) of \(ownerID)"
    let removed: [Int64] =
      switch difference {
      case .insertAll: []
      case .set(let removed, _): removed
      case .list(let difference): difference.removed.map { old($0) }
      case .dictionary(let places, _): places.map { old($0) }
      }
    let inserted = difference.inserted(of: after.targets)
    let texts = removed.map { "-\($0)" } + inserted.map { "+\($0)" }
    return ([name + ":"] + texts).joined(separator: " ")
  }

  private func old(_ place: Int) -> Int64 {
    before.map { $0.list.targets[$0.start + place] } ?? 0
  }
}
