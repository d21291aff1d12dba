import MagicSQLite
import MagicSchema
import MagicStore

/// A property of a row that is read by itself.
struct LazyRow: Sendable {
  let owner: ObjectSchema
  /// The property's place: columns, then collections.
  let slot: Int
  /// The owner's row.
  let identity: RowIdentity

  init(owner: ObjectSchema, slot: Int, identity: RowIdentity) {
    self.owner = owner
    self.slot = slot
    self.identity = identity
  }

  var zIndex: Int64 { identity.zIndex.rawValue }

  /// The collection's column and its statements; nil where there is no table of its links.
  func links(_ statements: TypeStatements) -> (column: CollectionColumn, LinkStatements)? {
    let index = slot - owner.columns.count
    guard index >= 0, statements.links[index].exists else { return nil }
    return (owner.collections[index], statements.links[index])
  }
}
