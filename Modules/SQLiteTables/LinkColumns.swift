import MagicEngine
package import MagicSchema

/// The quoted names of the table and the columns that contain the members of a collection: those of
/// its join table, those of the members' table if the list is owned, or those of the table of a join
/// type.
package struct LinkColumns {
  /// The quoted name of the table, or a subquery in parentheses.
  package let table: String
  package let owner: String
  package let target: String
  /// The position or key; nil for a set. The position in a list through a join type is the row ID of
  /// the join object.
  package let key: String?
  /// The column by which a list through a join type is sorted before its positions; nil for other
  /// collections.
  package let sort: String?
  /// Whether several rows can have the same owner and member, which is in the collection once: in a
  /// set through a join type.
  package let hasRepeats: Bool
  /// The join type of a collection through one.
  package let joinType: JoinType?
  /// Whether the table has the rows of the members.
  package let isOwned: Bool

  package init(_ link: LinkTable) throws {
    joinType = try link.column.joinType
    if let joinType {
      let names = JoinTypeColumns(joinType, link.column.kind)
      (table, target) = (names.table, names.target)
      (owner, key, sort) = (names.owner, names.key, names.sort)
    } else if let owned = try link.owned {
      (table, target) = (owned.table.quoted, TableSQL.zIndex.quoted)
      (owner, key, sort) = (owned.owner.quoted, owned.position.quoted, nil)
    } else {
      (table, target, owner) = (link.name.quoted, "\"target\"", "\"owner\"")
      (key, sort) = (link.keyColumn?.quoted, nil)
    }
    isOwned = link.column.isOwned
    hasRepeats = joinType != nil && link.column.kind == .set
  }

  /// The column that identifies a member in the collection of one owner.
  package var order: String { key ?? target }
}

/// The quoted names of the columns of a join type.
private struct JoinTypeColumns {
  let owner: String
  let target: String
  let key: String?
  let sort: String?
  let table: String

  init(_ join: JoinType, _ kind: LinkKind) {
    let columns = join.schema.columns
    owner = columns[join.owner].name.quoted
    target = columns[join.target].name.quoted
    key = kind == .set ? nil : TableSQL.zIndex.quoted
    sort = kind == .set ? nil : join.order.map { columns[$0].name.quoted } ?? key
    let name = join.schema.tableName.quoted
    // A join object without an owner or a member is no join row. SQLite flattens the subquery.
    let optional = [join.owner, join.target].filter { columns[$0].isNullable }
    guard !optional.isEmpty else {
      table = name
      return
    }
    let names = [owner, target] + Set([key, sort].compactMap { $0 }).sorted()
    let conditions = optional.map { "\(columns[$0].name.quoted) IS NOT NULL" }
    table =
      "(SELECT \(names.joined(separator: ", ")) FROM \(name) "
      + "WHERE \(conditions.joined(separator: " AND ")))"
  }
}
