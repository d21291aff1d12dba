import Foundation
package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteSearch
import SQLiteTables

extension StoreConnection {
  /// Returns the tables and columns that a statement reads.
  ///
  /// Virtual tables have no triggers, so the result of a statement that reads one may change with
  /// any commit. Table-valued functions that depend only on their arguments, such as `json_each`,
  /// are an exception.
  package func region(of sql: String) throws -> ReadRegion {
    // SQLite compiles a statement for the schema that the connection has cached. Stepping a
    // statement refreshes that cache.
    _ = try isView("")
    var region = ReadRegion()
    for read in try connection.reads(of: sql) {
      let table = read.table
      if table.hasPrefix(SearchTable.prefix) {
        try insert(searchTable: table, into: &region)
        continue
      }
      guard !table.hasPrefix("sqlite_") else {
        region.isAny = true
        continue
      }
      // A name that is neither a table nor a view is defined by the statement itself, such as a
      // common table expression. SQLite also reports the tables of a view; the view is inserted
      // too, because its definition may change.
      guard try Catalogue(connection: connection).exists(table) else {
        if try isView(table) { region.insert(table: table) }
        // The table-valued functions for pragmas and statistics depend on the whole file.
        if table.folded.hasPrefix("pragma_") || table.isName("dbstat") { region.isAny = true }
        continue
      }
      if try connection.isVirtual(table) {
        region.isAny = true
      } else {
        region.insert(table: table, column: read.column)
      }
    }
    // SQLite does not report the columns that a join compares because of USING or NATURAL.
    let opened = try connection.tablesOpened(by: sql)
    let joins = try hasCommonColumns(sql, in: region)
    for table in opened where joins || region.tables[table.folded] == nil {
      region.insert(table: table)
    }
    return region
  }

  /// Inserts the columns whose texts a search index contains. The name may be that of another table of
  /// the index.
  private func insert(searchTable name: String, into region: inout ReadRegion) throws {
    guard let table = try searchIndexes.table(named: name) else { return }
    region.insert(table: table.table, column: "")
    for column in table.columns { region.insert(table: table.table, column: column.name) }
  }

  /// Returns whether a statement, or a view that it reads, may join tables with USING or NATURAL.
  private func hasCommonColumns(_ sql: String, in region: ReadRegion) throws -> Bool {
    func mentions(_ text: String) -> Bool {
      let words = text.uppercased()
      return words.contains("USING") || words.contains("NATURAL")
    }
    if mentions(sql) { return true }
    let views = try connection.cachedStatement(
      "SELECT name, sql FROM sqlite_master WHERE type = 'view'")
    defer { views.reset() }
    while try views.step() {
      if region.tables[views.column(0).text.folded] != nil, mentions(views.column(1).text) {
        return true
      }
    }
    return false
  }

  private func isView(_ name: String) throws -> Bool {
    let statement = try connection.cachedStatement(
      "SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ? COLLATE NOCASE")
    defer { statement.reset() }
    try statement.bind(name, at: 1)
    return try statement.step()
  }

  /// The schema version of the file, which changes whenever a table or view is altered.
  package var schemaVersion: Int64 {
    get throws { try connection.schemaVersion() ?? 0 }
  }
}
