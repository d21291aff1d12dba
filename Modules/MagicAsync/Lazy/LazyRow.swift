import MagicEngine
import MagicSchema

/// A lazy property of one row. A statement of its own reads it, after the row was fetched.
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
