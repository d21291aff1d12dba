package import MagicSchema

/// A property of a row that is read by itself.
package struct LazyRow: Sendable {
  package let owner: ObjectSchema
  /// The property's place: columns, then collections.
  package let slot: Int
  /// The owner's row.
  package let identity: RowIdentity

  package init(owner: ObjectSchema, slot: Int, identity: RowIdentity) {
    self.owner = owner
    self.slot = slot
    self.identity = identity
  }

  package var zIndex: Int64 { identity.zIndex.rawValue }

  /// The collection's place among the collections of its type; nil for a column.
  package var collectionIndex: Int? {
    slot < owner.columns.count ? nil : slot - owner.columns.count
  }

  /// Nil for a column.
  package var collection: CollectionColumn? { collectionIndex.map { owner.collections[$0] } }
}
