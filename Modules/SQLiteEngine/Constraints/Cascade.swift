import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// Deletes rows together with all rows that the deletion cascades to, at any depth. SQLite's own
/// cascades are limited to 1,000 levels. The relationships are read from the file, so that cascades
/// also work for types that this program does not have.
///
/// Rows are deleted in the opposite order to that in which they were found: a row is deleted after
/// all rows that depend on it, so that no cascade of SQLite has anything to delete. References that
/// close a cycle are removed first.
struct Cascade {
  private let connection: SQLiteConnection
  private var edges: [String: [Edge]] = [:]
  /// The owned lists of each table whose members cannot be deleted while they have an owner.
  private var denying: [String: [OwnedColumns]] = [:]

  private enum Edge {
    /// Rows whose to-one relationship refers to the deleted row, and members of an owned list of the
    /// deleted row; by the column.
    case owners(table: String, column: String)
    /// Members of a collection of the deleted row.
    case members(table: String, links: String)
  }

  private struct Row: Hashable {
    let table: String
    let zIndex: Int64
  }

  init(_ relationships: [Relationship], connection: SQLiteConnection) {
    self.connection = connection
    for owned in relationships.compactMap(\.ownedColumns) where owned.rule == .deny {
      denying[owned.ownerTable, default: []].append(owned)
    }
    for relationship in relationships where relationship.rule == "cascade" {
      if let owned = relationship.ownedColumns {
        edges[owned.ownerTable, default: []].append(
          .owners(table: owned.table, column: owned.owner))
      } else if let links = relationship.linkTable {
        edges[relationship.owner, default: []].append(
          .members(table: relationship.target, links: links))
      } else {
        edges[relationship.target, default: []].append(
          .owners(table: relationship.owner, column: relationship.column))
      }
    }
  }

  /// Whether deleting rows of a table cascades.
  func affects(_ table: String) -> Bool { edges[table] != nil }

  /// Deletes rows of a table.
  ///
  /// - Throws: `MagicError` with `.constraint` if a trigger prevents the deletion of one of these
  ///   rows or of a row that the deletion cascades to.
  func remove(_ zIndexes: [Int64], from table: String) throws {
    var rows = zIndexes.map { Row(table: table, zIndex: $0) }
    var visited = Set(rows)
    var cancellation = CancellationCheck()
    var next = 0
    while next < rows.count {
      try cancellation.count()
      let row = rows[next]
      next += 1
      // The owner may be deleted after its members, which must not have an owner then.
      for list in denying[row.table] ?? [] {
        try run(
          "UPDATE \(list.table.quoted) SET \(list.owner.quoted) = NULL "
            + "WHERE \(list.owner.quoted) = ?", row.zIndex)
      }
      for edge in edges[row.table] ?? [] {
        switch edge {
        case .owners(let table, let column):
          for zIndex in try owners(of: row, in: table, column) {
            let owner = Row(table: table, zIndex: zIndex)
            if visited.insert(owner).inserted {
              rows.append(owner)
            } else if owner != row {
              try detach(owner, column)
            }
          }
        case .members(let table, let links):
          for zIndex in try members(of: row, links) {
            let member = Row(table: table, zIndex: zIndex)
            if visited.insert(member).inserted { rows.append(member) }
          }
          try run("DELETE FROM \(links.quoted) WHERE \"owner\" = ?", row.zIndex)
        }
      }
    }
    for row in rows.reversed() {
      try cancellation.count()
      try delete(row)
    }
  }

  /// Deletes a row, unless an earlier delete of the cascade has deleted it.
  private func delete(_ row: Row) throws {
    try run("DELETE FROM \(row.table.quoted) WHERE \"z_index\" = ?", row.zIndex)
    guard connection.changes == 0 else { return }
    let rest = try integers(
      "SELECT \"z_index\" FROM \(row.table.quoted) WHERE \"z_index\" = ?", row.zIndex)
    guard rest.isEmpty else {
      let entry = try Catalogue(connection: connection).entry(for: row.table)
      throw MagicError.rowKeptByTrigger(of: entry?.typeName ?? row.table)
    }
  }

  /// Returns the row IDs of all rows of a table.
  func rows(of table: String) throws -> [Int64] {
    try integers("SELECT \"z_index\" FROM \(table.quoted)")
  }

  private func owners(of row: Row, in table: String, _ column: String) throws -> [Int64] {
    try integers(
      "SELECT \"z_index\" FROM \(table.quoted) WHERE \(column.quoted) = ?", row.zIndex)
  }

  private func members(of row: Row, _ links: String) throws -> [Int64] {
    try integers("SELECT \"target\" FROM \(links.quoted) WHERE \"owner\" = ?", row.zIndex)
  }

  /// Makes a to-one relationship of a row that will be deleted refer to no row. A deferred foreign
  /// key allows that. The column may be NOT NULL or UNIQUE, so the value is not NULL and differs
  /// for each row.
  private func detach(_ owner: Row, _ column: String) throws {
    try run(
      "UPDATE \(owner.table.quoted) SET \(column.quoted) = \(Int64.min) + \"z_index\" "
        + "WHERE \"z_index\" = ?", owner.zIndex)
  }

  private func integers(_ sql: String, _ parameter: Int64? = nil) throws -> [Int64] {
    let statement = try connection.cachedStatement(sql)
    defer { statement.reset() }
    if let parameter { try statement.bind(parameter, at: 1) }
    var found: [Int64] = []
    while try statement.step() {
      // A file may contain any value as a target. A value that is not a row ID deletes nothing.
      if let zIndex = statement.column(0).rowKey { found.append(zIndex) }
    }
    return found
  }

  private func run(_ sql: String, _ zIndex: Int64) throws {
    let statement = try connection.cachedStatement(sql)
    try statement.bind(zIndex, at: 1)
    try statement.run()
  }
}
