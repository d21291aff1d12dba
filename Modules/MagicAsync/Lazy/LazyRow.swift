import MagicEngine
import MagicSchema

/// A property of a row that is read by itself.
struct LazyRow: Sendable {
  let owner: ObjectSchema
  /// The property's place: columns, then collections.
  let slot: Int
  /// The owner's row.
  let identity: RowIdentity

  var zIndex: Int64 { identity.zIndex.rawValue }

  /// The collection's place among the collections of its type; nil for a column.
  var collectionIndex: Int? { slot < owner.columns.count ? nil : slot - owner.columns.count }

  /// Nil for a column.
  var collection: CollectionColumn? { collectionIndex.map { owner.collections[$0] } }
}
