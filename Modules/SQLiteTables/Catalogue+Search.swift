package import MagicSQLite
import MagicSchema

/// The search indexes of a file.
extension Catalogue {
  /// Returns the search index of a type's table; nil if it has none.
  package func searchTable(of table: String) throws(SQLiteError) -> SearchTable? {
    let statement = try connection.cachedStatement(
      "SELECT \"sql\" FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = ?")
    defer { statement.reset() }
    try statement.bind(SearchTable.name(ofTable: table), at: 1)
    guard try statement.step() else { return nil }
    let sql = statement.column(0).text
    let names = try connection.prepare("SELECT \"name\" FROM pragma_table_info(?)")
    try names.bind(SearchTable.name(ofTable: table) + SearchTable.logSuffix, at: 1)
    var columns: [SearchTable.Column] = []
    while try names.step() {
      if let column = SearchTable.column(ofLog: names.column(0).text) { columns.append(column) }
    }
    return SearchTable(table: table, columns: columns, indexSQL: sql)
  }

  /// Returns the search indexes of all tables, including those of types that this program does not
  /// have.
  package func searchTables() throws(SQLiteError) -> [SearchTable] {
    var tables: [SearchTable] = []
    for name in try tablesWithSearchLog() {
      if let table = try searchTable(of: name) { tables.append(table) }
    }
    return tables
  }

  /// Returns the types' tables that have the log of a search index, but no full-text table, because
  /// another program has dropped it.
  package func tablesWithoutSearchTable() throws(SQLiteError) -> [String] {
    var tables: [String] = []
    for name in try tablesWithSearchLog() {
      if try !exists(SearchTable.name(ofTable: name)) { tables.append(name) }
    }
    return tables
  }

  /// Drops the rest of a search index whose full-text table does not exist. The next use of the type
  /// creates the index, as a migration.
  package func dropSearchLog(ofTable table: String) throws(SQLiteError) {
    for statement in SearchTable(table: table, columns: [], indexSQL: "").drop {
      try connection.execute(statement)
    }
    let statement = try connection.cachedStatement(
      "UPDATE \"magic_catalogue\" SET \"fingerprint\" = '' WHERE \"table_name\" = ?")
    try statement.bind(table, at: 1)
    try statement.run()
  }

  /// Returns the names of the existing tables for which there is the log of a search index.
  private func tablesWithSearchLog() throws(SQLiteError) -> [String] {
    let logs = try connection.textColumn(
      "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'table' "
        + "AND \"name\" GLOB 'magic_search(*) log' ORDER BY \"name\"")
    var tables: [String] = []
    for log in logs {
      let name = String(
        log.dropFirst(SearchTable.prefix.count).dropLast(SearchTable.logSuffix.count + 1))
      // SQL of the user may have dropped the type's table.
      if try exists(name) { tables.append(name) }
    }
    return tables
  }
}
