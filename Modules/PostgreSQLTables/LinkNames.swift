import MagicEngine
package import MagicPostgreSQL
package import MagicSchema
import Magical

/// The quoted names of the table and the columns that contain the members of a collection: those of
/// its join table, or those of the table of a join type.
package struct LinkNames {
  /// The quoted name of the table, or a subquery in parentheses.
  package let table: String
  /// The name of the join table; nil for a collection through a join type.
  package let joinTable: String?
  package let owner: String
  package let target: String
  /// The position or key; nil for a set. The position in a list through a join type is the row ID of
  /// the join object.
  package let key: String?
  /// The column by which a list through a join type is sorted before its positions.
  package let sort: String?
  package let keyType: PostgreSQLType

  package init(_ column: CollectionColumn, of schema: ObjectSchema) throws {
    keyType =
      column.kind == .dictionary
      ? PostgreSQLType(column.makeKeys()?.storageClass ?? .blob) : .bigint
    guard let join = try column.joinType else {
      let name = column.joinTable(of: schema)
      (table, joinTable) = (name.quoted, name)
      (owner, target, sort) = ("\"owner\"", "\"target\"", nil)
      key = column.kind.keyColumn?.quoted
      return
    }
    let columns = join.schema.columns
    let (ownerName, targetName) = (
      columns[join.owner].name.quoted, columns[join.target].name.quoted
    )
    joinTable = nil
    (owner, target) = ("\"owner\"", "\"target\"")
    let isSet = column.kind == .set
    key = isSet ? nil : "\"position\""
    sort = isSet ? nil : "\"sort\""
    let order = join.order.map { "coalesce(\(columns[$0].name.quoted), 0)" } ?? "\"z_index\""
    let rest = isSet ? "" : ", \"z_index\" AS \"position\", \(order) AS \"sort\""
    // A member is in a set once. A join object without an owner or a member is no join row.
    table =
      "(SELECT \(isSet ? "DISTINCT " : "")\(ownerName) AS \"owner\", \(targetName) AS \"target\""
      + "\(rest) FROM \(join.schema.tableName.quoted) "
      + "WHERE \(ownerName) IS NOT NULL AND \(targetName) IS NOT NULL)"
  }

  /// The columns that order the members of one owner, in a statement that names the table l.
  package var order: String {
    [sort, key ?? target].compactMap { $0 }.map { "l.\($0)" }.joined(separator: ", ")
  }
}
