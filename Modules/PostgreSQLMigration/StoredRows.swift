import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// Queries about stored rows, before an operation changes them.
struct StoredRows {
  let session: EngineSession

  func execute(_ sql: String) throws -> PostgreSQLResult {
    try translatingErrors { try session.connection.execute(sql) }
  }

  /// Returns the integer that a query returns; 0 if it returns no row.
  func integer(_ sql: String) throws -> Int64 {
    let result = try execute(sql)
    guard result.count > 0 else { return 0 }
    return Int64(result.text(0, 0)) ?? 0
  }

  /// Returns the first few row IDs that a query returns, at most one more than a message contains.
  func firstRows(_ sql: String) throws -> [Int64] {
    let result = try execute("\(sql) LIMIT \(RowIDText.maximumCount + 1)")
    return (0..<result.count).compactMap { Int64(result.text($0, 0)) }
  }

  func exists(_ sql: String) throws -> Bool {
    try execute("SELECT EXISTS (\(sql))").text(0, 0) == "t"
  }

  func hasRows(_ table: StoredTable) throws -> Bool {
    try exists("SELECT FROM \(table.storedName.quoted)")
  }

  /// Returns the number of rows with a value in a column. An empty asset is not a value.
  func valueCount(of column: StoredColumn, in table: StoredTable) throws -> Int64 {
    guard case .stored(let name) = column.values else { return 0 }
    let condition =
      column.isFile ? "coalesce(\(name.quoted), '') <> ''" : "\(name.quoted) IS NOT NULL"
    return try integer("SELECT count(*) FROM \(table.storedName.quoted) WHERE \(condition)")
  }

  /// Returns the first few rows for which a condition on a column is true; none if the values of the
  /// column are not known yet.
  func rows(
    of column: StoredColumn, in table: StoredTable, where condition: (String) -> String
  ) throws -> [Int64] {
    guard case .stored(let name) = column.values else { return [] }
    return try firstRows(
      "SELECT \"z_index\" FROM \(table.storedName.quoted) WHERE \(condition(name.quoted)) "
        + "ORDER BY \"z_index\"")
  }

  func linkCount(of collection: StoredCollection) throws -> Int64 {
    try integer("SELECT count(*) FROM \(collection.storedTable.quoted)")
  }

  /// Returns the first few values of a column of a join table that appear more than once with the
  /// same values of other columns.
  func duplicates(
    _ column: String, with others: [String] = [], in collection: StoredCollection
  ) throws -> [Int64] {
    let names = ([column] + others).map(\.quoted).joined(separator: ", ")
    return try firstRows(
      "SELECT DISTINCT \(column.quoted) FROM (SELECT \(names) FROM "
        + "\(collection.storedTable.quoted) GROUP BY \(names) HAVING count(*) > 1) AS d ORDER BY 1")
  }
}
