import MagicEngine
import MagicSchema

/// The quoted names of the table and the columns that contain the members of a collection: those of
/// its join table, or those of the members' table if the list is owned.
package struct LinkColumns {
  package let table: String
  package let owner: String
  package let target: String
  /// The position or key; nil for a set.
  package let key: String?
  /// Whether the table has the rows of the members.
  package let isOwned: Bool

  package init(_ link: LinkTable) throws {
    if let owned = try link.owned {
      (table, target) = (owned.table.quoted, TableSQL.zIndex.quoted)
      (owner, key) = (owned.owner.quoted, owned.position.quoted)
    } else {
      (table, target, owner) = (link.name.quoted, "\"target\"", "\"owner\"")
      key = link.keyColumn?.quoted
    }
    isOwned = link.column.isOwned
  }

  /// The column that identifies a member in the collection of one owner.
  package var order: String { key ?? target }
}
