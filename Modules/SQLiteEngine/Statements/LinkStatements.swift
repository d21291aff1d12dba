package import MagicSQLite
import MagicSchema
import SQLiteTables

/// The statements of one collection on one connection, each compiled when it is first needed.
package final class LinkStatements {
  let column: CollectionColumn
  /// Whether there is the table: a file that may not be changed can lack it.
  package let exists: Bool
  private let table: String
  private let key: String?
  private let connection: SQLiteConnection
  @exclusivity(unchecked) private var prepared = [SQLiteStatement?](
    repeating: nil, count: Kind.allCases.count)

  private enum Kind: Int, CaseIterable {
    case selectOne, selectRange, selectListed, selectReached
    case selectLinked, selectSome, selectBehind, count, hasLink
    case insert, insertNew, insertSmall, insertLarge, delete, deleteTarget
    case lastPosition, nextPosition, nearest, following
  }

  init(_ link: LinkTable, exists: Bool, connection: SQLiteConnection) {
    self.exists = exists
    column = link.column
    table = link.name.quoted
    key = link.keyColumn?.quoted
    self.connection = connection
  }

  /// The members of one owner with their links: behind the columns of the rows come target, and
  /// position or key.
  package func selectLinked(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectLinked) { members(target, columns: linkColumns) }
  }

  /// Like ``selectLinked(_:)`` for some of them: the parameters behind the owner are how many, and
  /// how many before them are left out.
  package func selectSome(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectSome) { "\(members(target, columns: linkColumns)) LIMIT ?2 OFFSET ?3" }
  }

  /// Like ``selectLinked(_:)`` for those behind one: the parameters behind the owner are its
  /// position, key or target, and how many.
  package func selectBehind(_ target: TypeStatements) throws(SQLiteError) -> SQLiteStatement {
    try statement(.selectBehind) {
      let condition = "AND link.\(key ?? "\"target\"") > ?2"
      return "\(members(target, columns: linkColumns, where: condition)) LIMIT ?3"
    }
  }

  private var linkColumns: [String] {
    ["link.\"target\""] + (key.map { ["link.\($0)"] } ?? [])
  }

  private func members(
    _ target: TypeStatements, columns linkColumns: [String], where condition: String = ""
  ) -> String {
    let columns = target.columns(of: "row") + linkColumns
    return "SELECT \(columns.joined(separator: ", ")) FROM \(table) AS link "
      + "LEFT JOIN \(target.table) AS row ON row.\"z_index\" = link.\"target\" "
      + "WHERE link.\"owner\" = ?1 \(condition) ORDER BY link.\(key ?? "\"target\"")"
  }

  /// How many links an owner has.
  package var count: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.count) { "SELECT count(*) FROM \(table) WHERE \"owner\" = ?" }
    }
  }

  /// Parameters: owner, position, target.
  package var hasLink: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.hasLink) {
        "SELECT 1 FROM \(table) WHERE \"owner\" = ? AND \"position\" = ? AND \"target\" = ?"
      }
    }
  }

  // Columns of all four: owner, target, and position or key.

  /// The links of one owner.
  var selectOne: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectOne) { "\(select) WHERE \"owner\" = ? \(order)" }
    }
  }

  /// The links of the owners from one z-index to another.
  var selectRange: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectRange) { "\(select) WHERE \"owner\" BETWEEN ? AND ? \(order)" }
    }
  }

  /// The links of the owners in a JSON array.
  var selectListed: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectListed) {
        "\(select) WHERE \"owner\" IN (SELECT value FROM json_each(?)) \(order)"
      }
    }
  }

  /// The links of the owners in a JSON array, of their members, of their members' members and so
  /// on; for collections of the owner's own type.
  var selectReached: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.selectReached) {
        """
        WITH RECURSIVE reached (z) AS (SELECT value FROM json_each(?) UNION \
        SELECT link."target" FROM reached CROSS JOIN \(table) AS link ON link."owner" = reached.z) \
        \(select) WHERE "owner" IN (SELECT z FROM reached) \(order)
        """
      }
    }
  }

  /// Parameters: owner, target, and position or key. What a set or a list holds at the place
  /// stays, a dictionary's member is replaced.
  var insert: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.insert) {
        switch column.kind {
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

  /// Like ``insert`` for a dictionary, where a key that is taken is an error.
  var insertNew: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.insertNew) {
        "INSERT INTO \(table) (\"owner\", \"target\", \"key\") VALUES (?, ?, ?)"
      }
    }
  }

  /// Like ``insert`` for a list or a set, for several links at once.
  func insert(_ batch: LinkBatch) throws(SQLiteError) -> SQLiteStatement {
    try statement(batch == .large ? .insertLarge : .insertSmall) {
      let columns = key.map { ", \($0)" } ?? ""
      let row = key == nil ? "(?, ?)" : "(?, ?, ?)"
      let rows = Array(repeating: row, count: batch.rawValue).joined(separator: ", ")
      let conflict = key == nil ? " ON CONFLICT (\"owner\", \"target\") DO NOTHING" : ""
      return "INSERT INTO \(table) (\"owner\", \"target\"\(columns)) VALUES \(rows)\(conflict)"
    }
  }

  /// Parameters: owner, target, and position or key.
  var delete: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.delete) {
        "DELETE FROM \(table) WHERE \"owner\" = ? AND \"target\" = ?"
          + (key.map { " AND \($0) = ?" } ?? "")
      }
    }
  }

  /// Parameters: owner, target. All links between the two.
  var deleteTarget: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.deleteTarget) {
        "DELETE FROM \(table) WHERE \"owner\" = ? AND \"target\" = ?"
      }
    }
  }

  /// The position of an owner's last link.
  var lastPosition: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.lastPosition) { "SELECT max(\"position\") FROM \(table) WHERE \"owner\" = ?" }
    }
  }

  /// The position of an owner's first link behind another position.
  var nextPosition: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.nextPosition) {
        "SELECT min(\"position\") FROM \(table) WHERE \"owner\" = ? AND \"position\" > ?"
      }
    }
  }

  /// Parameters: owner, target, position. The link of the two whose position is nearest.
  package var nearest: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.nearest) {
        "SELECT \"position\" FROM \(table) WHERE \"owner\" = ? AND \"target\" = ? "
          + "ORDER BY abs(\"position\" - ?) LIMIT 1"
      }
    }
  }

  /// Parameters: owner, position, count. The links behind a position: position and target.
  var following: SQLiteStatement {
    get throws(SQLiteError) {
      try statement(.following) {
        "SELECT \"position\", \"target\" FROM \(table) WHERE \"owner\" = ? AND \"position\" > ? "
          + "ORDER BY \"position\" LIMIT ?"
      }
    }
  }

  private var select: String {
    "SELECT \"owner\", \"target\"\(key.map { ", \($0)" } ?? "") FROM \(table)"
  }

  private var order: String { "ORDER BY \"owner\", \(key ?? "\"target\"")" }

  private func statement(
    _ kind: Kind, _ sql: () -> String
  ) throws(SQLiteError) -> SQLiteStatement {
    if let known = prepared[kind.rawValue] { return known }
    let statement = try connection.prepare(sql(), isPersistent: true)
    prepared[kind.rawValue] = statement
    return statement
  }
}
