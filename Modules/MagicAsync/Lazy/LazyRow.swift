import MagicEngine
import MagicSchema

/// A property of a row that is read separately from its row.
struct LazyRow: Sendable {
  let owner: ObjectSchema
  /// The index of the property: columns first, then collections.
  let slot: Int
  /// The owner's row.
  let identity: RowIdentity

  var zIndex: Int64 { identity.zIndex.rawValue }

  /// The index of the collection in its type, or nil for a column.
  var collectionIndex: Int? { slot < owner.columns.count ? nil : slot - owner.columns.count }

  /// The collection, or nil for a column.
  var collection: CollectionColumn? { collectionIndex.map { owner.collections[$0] } }
}
