import MagicSchema
import SQLiteTables

/// The SQL that reads the rows of a store.
struct StoreQueries {
  let store: CoreDataStore

  /// Why a query cannot be made: the store does not have the place of a relationship.
  struct MissingPlace: Error {}

  /// The condition that a row is an object of an entity.
  func isObject(_ alias: String, of entity: CoreDataModel.Entity) -> String {
    "\(alias).\"Z_ENT\" = \(store.number(entity) ?? -1)"
  }

  /// The subquery for the row number of a to-one's object; NULL for an object of another entity. The row
  /// of the owner is `s`.
  func toOne(_ link: ImportedProperty.Link) throws -> String {
    guard
      case .ownerColumn(let column)? = store.place(of: link.relationship, declaredBy: link.owner)
    else { throw MissingPlace() }
    return "SELECT t.\"Z_PK\" FROM \(store.table(link.target).quoted) AS t "
      + "WHERE t.\"Z_PK\" = s.\(column.quoted) AND \(isObject("t", of: link.target))"
  }

  /// The query for the members of a to-many: the row numbers of owners and members, in order.
  func members(_ link: ImportedProperty.Link, of owner: CoreDataModel.Entity) throws -> String {
    let (owners, members) = (store.table(owner).quoted, store.table(link.target).quoted)
    let (isOwner, isMember) = (isObject("o", of: owner), isObject("m", of: link.target))
    switch store.place(of: link.relationship, declaredBy: link.owner) {
    case .memberColumn(let column, let order)?:
      let position = order.map { "m.\($0.quoted), " } ?? ""
      return "SELECT o.\"Z_PK\", m.\"Z_PK\" FROM \(members) AS m "
        + "JOIN \(owners) AS o ON o.\"Z_PK\" = m.\(column.quoted) "
        + "WHERE \(isOwner) AND \(isMember) ORDER BY o.\"Z_PK\", \(position)m.\"Z_PK\""
    case .joinTable(let table, let own, let member, let order, let isSymmetric)?:
      var rows = table.quoted
      if isSymmetric {
        rows =
          "(SELECT \(own.quoted), \(member.quoted) FROM \(table.quoted) "
          + "UNION SELECT \(member.quoted), \(own.quoted) FROM \(table.quoted))"
      }
      let position = isSymmetric ? "" : order.map { "j.\($0.quoted), " } ?? ""
      return "SELECT o.\"Z_PK\", m.\"Z_PK\" FROM \(rows) AS j "
        + "JOIN \(owners) AS o ON o.\"Z_PK\" = j.\(own.quoted) "
        + "JOIN \(members) AS m ON m.\"Z_PK\" = j.\(member.quoted) "
        + "WHERE \(isOwner) AND \(isMember) ORDER BY o.\"Z_PK\", \(position)m.\"Z_PK\""
    case .ownerColumn?, nil: throw MissingPlace()
    }
  }
}
