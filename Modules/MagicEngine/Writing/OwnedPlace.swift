package import MagicSchema

/// An owned list whose new members are inserted together with their owner and position.
@usableFromInline
package struct OwnedList: Equatable {
  package let owner: ObjectSchema
  /// The index of the list in the owner's type.
  package let collection: Int

  package init(owner: ObjectSchema, collection: Int) {
    self.owner = owner
    self.collection = collection
  }

  package var column: CollectionColumn { owner.collections[collection] }

  @usableFromInline
  package static func == (left: OwnedList, right: OwnedList) -> Bool {
    left.owner === right.owner && left.collection == right.collection
  }
}

/// The place of a new row in the owned list of a new owner.
///
/// A row that is inserted with its owner takes the space that it needs. A row that gets its owner
/// later grows, and its page is split. The place is a hint: the members of the list are written after
/// all rows, see ``MemberChange``.
package struct OwnedPlace {
  package let list: OwnedList
  package let ownerID: Int64
  package let index: Int

  package init(list: OwnedList, ownerID: Int64, index: Int) {
    self.list = list
    self.ownerID = ownerID
    self.index = index
  }

  /// Returns the place of another member.
  package func at(_ index: Int) -> OwnedPlace {
    OwnedPlace(list: list, ownerID: ownerID, index: index)
  }
}
