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
    let logs = try connection.textColumn(
      "SELECT \"name\" FROM sqlite_master WHERE \"type\" = 'table' "
        + "AND \"name\" GLOB 'magic_search(*) log' ORDER BY \"name\"")
    var tables: [SearchTable] = []
    for log in logs {
      let name = log.dropFirst(SearchTable.prefix.count)
        .dropLast(SearchTable.logSuffix.count + 1)
      // SQL of the user may have dropped the type's table.
      guard try exists(String(name)) else { continue }
      if let table = try searchTable(of: String(name)) { tables.append(table) }
    }
    return tables
  }
}
