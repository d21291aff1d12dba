package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteTables

extension StoreConnection {
  /// What a statement looks at.
  ///
  /// Tables of modules have no triggers: one that looks into them may change with any commit, save
  /// for those that are made of a value, such as `json_each`.
  package func region(of sql: String) throws -> ReadRegion {
    // A statement is compiled for the schema that the connection knows; a step brings that up to date.
    _ = try isView("")
    var region = ReadRegion()
    for read in try connection.reads(of: sql) {
      let table = read.table
      guard !table.hasPrefix("sqlite_") else {
        region.isAny = true
        continue
      }
      // What is neither a table nor a view is a name of the statement's own. A view's tables are
      // there too; it is one to look at, because it may come to mean something else.
      guard try Catalogue(connection: connection).exists(table) else {
        if try isView(table) { region.insert(table: table) }
        // The functions that yield settings and statistics are of the whole file.
        if table.folded.hasPrefix("pragma_") || table.isName("dbstat") { region.isAny = true }
        continue
      }
      if try connection.isVirtual(table) {
        region.isAny = true
      } else {
        region.insert(table: table, column: read.column)
      }
    }
    // SQLite does not say that it reads columns which a join has in common, by USING or NATURAL.
    let opened = try connection.tablesOpened(by: sql)
    let joins = try hasCommonColumns(sql, in: region)
    for table in opened where joins || region.tables[table.folded] == nil {
      region.insert(table: table)
    }
    return region
  }

  /// Whether a statement, or a view that it looks at, may join tables by columns in common.
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

  /// The number that the file's schema has: another one after every change of a table or a view.
  package var schemaVersion: Int64 {
    get throws { try connection.schemaVersion() ?? 0 }
  }
}
