import MagicBase
package import MagicSQLite

/// An index that a statement has created, of the library or of another program. A table also has indexes
/// of its constraints, which have no SQL.
package struct TableIndex {
  package let name: String
  package let sql: String
  /// The first column; "" for an expression.
  package let firstColumn: String
}

extension Catalogue {
  /// Returns the indexes of a table that statements have created, in the order of their creation.
  package func indexes(of table: String) throws(SQLiteError) -> [TableIndex] {
    let statement = try connection.prepare(
      """
      SELECT name, sql, ifnull((SELECT info.name FROM pragma_index_info(found.name) AS info \
      WHERE info.seqno = 0), '') FROM sqlite_master AS found WHERE tbl_name = ? COLLATE NOCASE \
      AND type = 'index' AND sql IS NOT NULL ORDER BY rowid
      """)
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var indexes: [TableIndex] = []
    while try statement.step() {
      indexes.append(
        TableIndex(
          name: statement.column(0).text, sql: statement.column(1).text,
          firstColumn: statement.column(2).text))
    }
    return indexes
  }

  /// Returns the names of the indexes with statistics.
  package func analyzedIndexes() throws(SQLiteError) -> Set<String> {
    guard try exists("sqlite_stat1") else { return [] }
    return Set(
      try connection.textColumn("SELECT DISTINCT idx FROM sqlite_stat1 WHERE idx IS NOT NULL"))
  }

  /// Whether a table has no rows.
  package func isEmpty(_ table: String) throws(SQLiteError) -> Bool {
    let statement = try connection.cachedStatement("SELECT 1 FROM \(table.quoted) LIMIT 1")
    defer { statement.reset() }
    return try !statement.step()
  }
}
