package import MagicSchema

/// A change to the members of one owner's collection.
package struct MemberChange {
  package let owner: ObjectSchema
  /// The place of the collection among the owner's.
  package let collection: Int
  package let ownerID: Int64
  /// Whether the owner's row is new, so that nothing is stored for it.
  package let isNew: Bool
  /// What was stored before, as far as the instance knows; nil where it had no members.
  package let before: LinkSlice?
  /// What is to be stored. The engine enters the positions of a list.
  package let after: CollectionLinks
  package let difference: MemberDifference

  package init(
    owner: ObjectSchema, collection: Int, ownerID: Int64, isNew: Bool, before: LinkSlice?,
    after: CollectionLinks, difference: MemberDifference
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

/// What turns the members that were stored into others.
package enum MemberDifference {
  /// All members are to be added; nothing was stored.
  case insertAll
  case list(ListDifference)
  /// Row IDs of members.
  case set(removed: [Int64], inserted: [Int64])
  /// Places in what was stored, and in what is to be stored.
  case dictionary(removed: [Int], inserted: [Int])
}

extension MemberDifference {
  /// The members that are added.
  ///
  /// - Parameter targets: all members that are to be stored.
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
  /// For tests.
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
