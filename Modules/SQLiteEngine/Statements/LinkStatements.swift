package import MagicSQLite
import MagicSchema
import SQLiteTables

/// The statements of one collection on one connection. Each is compiled when it is first needed.
package final class LinkStatements {
  let column: CollectionColumn
  /// Whether the join table, or the columns of an owned list, exist. A read-only file may lack them.
  /// Not known of the table of a join type: see ``StoreConnection/exists(_:)``.
  package let exists: Bool
  let names: LinkColumns
  private let connection: SQLiteConnection
  @exclusivity(unchecked) private var prepared = [SQLiteStatement?](
    repeating: nil, count: Kind.allCases.count)

  private enum Kind: Int, CaseIterable {
    case selectOne, selectRange, selectListed, selectReached
    case selectLinked, selectSome, selectAfter, count, hasLink, hasTarget, selectKey
    case insert, insertNew, insertSmall, insertLarge, delete, deleteTarget, deleteAll
    case lastPosition, nextPosition, nearest, following
  }

  init(
    _ link: LinkTable, _ names: LinkColumns, exists: Bool, connection: SQLiteConnection
  ) {
    self.exists = exists
    column = link.column
    self.names = names
    self.connection = connection
  }

  private var table: String { names.table }
  private var owner: String { names.owner }
  private var target: String { names.target }
  private var key: String? { names.key }

  /// Selects the members of one owner with their join rows: the columns of the member's row, then
  /// the target, then the position or key.
  package func selectLinked(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectLinked) { members(target, columns: linkColumns) }
  }

  /// The same as ``selectLinked(_:)`` for some members. The parameters after the owner are the
  /// limit and the offset.
  package func selectSome(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectSome) { "\(members(target, columns: linkColumns)) LIMIT ?2 OFFSET ?3" }
  }

  /// The same as ``selectLinked(_:)`` for the members after a given one. The parameters after the
  /// owner are the position, key or target of that member, and the limit.
  package func selectAfter(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectAfter) {
      // The last parameter of a list through a join type is the position.
      let condition =
        names.sort.map { "AND (link.\($0), link.\(names.order)) > (?2, ?4)" }
        ?? "AND link.\(names.order) > ?2"
      return "\(members(target, columns: linkColumns, where: condition)) LIMIT ?3"
    }
  }

  private var linkColumns: [String] {
    [target, key, names.sort].compactMap { $0 }.map { "link.\($0)" }
  }

  private func members(
    _ members: TypeStatements, columns linkColumns: [String], where condition: String = ""
  ) -> String {
    let columns = members.columns(of: names.isOwned ? "link" : "row") + linkColumns
    let join =
      names.isOwned
      ? "" : "LEFT JOIN \(members.table) AS row ON row.\"z_index\" = link.\(target) "
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table) AS link \(join)"
      + "WHERE link.\(owner) = ?1 \(condition) "
      + (names.hasRepeats ? "GROUP BY link.\(target) " : "")
      + "ORDER BY \(names.sort.map { "link.\($0), " } ?? "")link.\(names.order)"
  }

  /// Counts the join rows of an owner.
  package var count: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.count) {
        let counted = names.hasRepeats ? "DISTINCT \(target)" : "*"
        return "SELECT count(\(counted)) FROM \(table) WHERE \(owner) = ?"
      }
    }
  }

  /// Finds a join row. Parameters: owner, position, target.
  package var hasLink: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasLink) {
        "SELECT 1 FROM \(table) WHERE \(owner) = ? AND \(names.order) = ? AND \(target) = ?"
      }
    }
  }

  /// Finds a member of an owner. Parameters: owner, target.
  package var hasTarget: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasTarget) {
        "SELECT 1 FROM \(table) WHERE \(owner) = ? AND \(target) = ? LIMIT 1"
      }
    }
  }

  /// Selects the target of a key of a dictionary. Parameters: owner, key.
  package var selectKey: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectKey) {
        "SELECT \(target) FROM \(table) WHERE \(owner) = ? AND \(names.order) = ?"
      }
    }
  }

  // Columns of the following four: owner, target, and position or key.

  /// Selects the join rows of one owner.
  var selectOne: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectOne) { "\(select) WHERE \(owner) = ? \(order)" }
    }
  }

  /// Selects the join rows of the owners in a range of row IDs.
  var selectRange: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectRange) { "\(select) WHERE \(owner) BETWEEN ? AND ? \(order)" }
    }
  }

  /// Selects the join rows of the owners in a JSON array.
  var selectListed: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectListed) {
        "\(select) WHERE \(owner) IN (SELECT value FROM json_each(?)) \(order)"
      }
    }
  }

  /// Selects the join rows of the owners in a JSON array and of all members that can be reached
  /// from them; for collections of the owner's own type.
  var selectReached: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectReached) {
        """
        WITH RECURSIVE reached (z) AS (SELECT value FROM json_each(?) UNION \
        SELECT link.\(target) FROM reached CROSS JOIN \(table) AS link \
        ON link.\(owner) = reached.z) \
        \(select) WHERE \(owner) IN (SELECT z FROM reached) \(order)
        """
      }
    }
  }

  /// Inserts a join row. Parameters: owner, target, and position or key. If the set already has the
  /// member, nothing is inserted. If the dictionary already has the key, its member is replaced. A
  /// member of an owned list leaves its former owner; if its row does not exist, nothing changes.
  var insert: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.insert) {
        switch column.kind {
        case .list where names.isOwned:
          "UPDATE \(table) SET \(owner) = ?1, \(names.order) = ?3 WHERE \(target) = ?2"
        case .list:
          "INSERT INTO \(table) (\"owner\", \"target\", \"position\") VALUES (?, ?, ?)"
        case .set:
          "INSERT INTO \(table) (\"owner\", \"target\") VALUES (?, ?) "
            + "ON CONFLICT (\"owner\", \"target\") DO NOTHING"
        case .dictionary:
          "INSERT INTO \(table) (\"owner\", \"target\", \"key\") VALUES (?, ?, ?) "
            + "ON CONFLICT (\"owner\", \"key\") DO UPDATE SET \"target\" = excluded.\"target\""
        }
      }
    }
  }

  /// The same as ``insert`` for a dictionary; an existing key is an error.
  var insertNew: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.insertNew) {
        "INSERT INTO \(table) (\"owner\", \"target\", \"key\") VALUES (?, ?, ?)"
      }
    }
  }

  /// The same as ``insert`` for several join rows of a list or a set.
  func insert(_ batch: LinkBatch) throws(SQLiteError) -> SQLiteStatement {
    try statement(batch == .large ? .insertLarge : .insertSmall) {
      let columns = key.map { ", \($0)" } ?? ""
      let row = key == nil ? "(?, ?)" : "(?, ?, ?)"
      let rows = Array(repeating: row, count: batch.rawValue).joined(separator: ", ")
      let conflict = key == nil ? " ON CONFLICT (\"owner\", \"target\") DO NOTHING" : ""
      return "INSERT INTO \(table) (\"owner\", \"target\"\(columns)) VALUES \(rows)\(conflict)"
    }
  }

  /// Deletes a join row. Parameters: owner, target, and position or key.
  var delete: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.delete) {
        // A member is in an owned list once, at any position.
        if names.isOwned { return "\(removeOwner) AND ?3 IS NOT NULL" }
        return "DELETE FROM \(table) WHERE \(owner) = ? AND \"target\" = ?"
          + (key.map { " AND \($0) = ?" } ?? "")
      }
    }
  }

  /// Deletes all join rows between an owner and a target. Parameters: owner, target.
  var deleteTarget: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.deleteTarget) {
        if names.isOwned { return removeOwner }
        return "DELETE FROM \(table) WHERE \(owner) = ? AND \"target\" = ?"
      }
    }
  }

  /// Deletes all join rows of an owner.
  var deleteAll: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.deleteAll) {
        if names.isOwned {
          return "UPDATE \(table) SET \(owner) = NULL, \(names.order) = NULL WHERE \(owner) = ?1"
        }
        return "DELETE FROM \(table) WHERE \(owner) = ?"
      }
    }
  }

  /// Removes a member from an owned list. Parameters: owner, target.
  private var removeOwner: String {
    "UPDATE \(table) SET \(owner) = NULL, \(names.order) = NULL "
      + "WHERE \(owner) = ?1 AND \(target) = ?2"
  }

  /// Selects the position of an owner's last join row.
  var lastPosition: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.lastPosition) { "SELECT max(\(names.order)) FROM \(table) WHERE \(owner) = ?" }
    }
  }

  /// Selects the position of an owner's first join row after another position.
  var nextPosition: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.nextPosition) {
        "SELECT min(\(names.order)) FROM \(table) WHERE \(owner) = ? AND \(names.order) > ?"
      }
    }
  }

  /// Selects the position that is nearest to a given one, among the join rows of an owner and a
  /// target. Parameters: owner, target, position.
  package var nearest: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.nearest) {
        "SELECT \(names.order) FROM \(table) WHERE \(owner) = ? AND \(target) = ? "
          + "ORDER BY abs(\(names.order) - ?) LIMIT 1"
      }
    }
  }

  /// Selects position and target of the join rows after a position. Parameters: owner, position,
  /// limit.
  var following: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.following) {
        "SELECT \(names.order), \(target) FROM \(table) "
          + "WHERE \(owner) = ? AND \(names.order) > ? ORDER BY \(names.order) LIMIT ?"
      }
    }
  }

  private var select: String {
    "SELECT \(names.hasRepeats ? "DISTINCT " : "")\(owner), \(target)"
      + "\(key.map { ", \($0)" } ?? "") FROM \(table)"
  }

  private var order: String {
    "ORDER BY \(owner), \(names.sort.map { "\($0), " } ?? "")\(names.order)"
  }

  private func statement(
    _ kind: Kind, _ sql: () -> String
  ) throws(SQLiteError) -> SQLiteStatement {
    if let cached = prepared[kind.rawValue] { return cached }
    let statement = try connection.prepare(sql(), isPersistent: true)
    prepared[kind.rawValue] = statement
    return statement
  }
}
