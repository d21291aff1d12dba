import MagicFiles
import MagicSQLite

/// A column whose rows name files, as the file knows it: its type need not be known.
struct AssetColumn: Hashable {
  let type: String?
  let table: String
  let column: String
}

/// What names the files of a database: its columns, and the table that counts.
struct NamedFiles {
  let connection: SQLiteConnection
  let columns: [AssetColumn]
  /// Columns that the database lists and does not have.
  let unknown: [AssetColumn]
  /// Whether there is a table that counts.
  let isCounted: Bool

  init(on connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    let catalogue = Catalogue(connection: connection)
    isCounted = try catalogue.exists(AssetTable.name)
    var columns: [AssetColumn] = []
    var unknown: [AssetColumn] = []
    if try catalogue.exists(AssetTable.columns) {
      for column in try Self.listed(connection, catalogue) {
        if try Self.isThere(column, connection, catalogue) {
          columns.append(column)
        } else {
          unknown.append(column)
        }
      }
    }
    self.columns = columns
    self.unknown = unknown
  }

  private static func listed(
    _ connection: SQLiteConnection, _ catalogue: Catalogue
  ) throws(SQLiteError) -> [AssetColumn] {
    let statement = try connection.prepare(
      "SELECT \"table_name\", \"column_name\" FROM \"magic_asset_columns\"")
    var columns: [AssetColumn] = []
    while try statement.step() {
      let table = statement.column(0).text
      columns.append(
        AssetColumn(
          type: try catalogue.entry(for: table)?.typeName, table: table,
          column: statement.column(1).text))
    }
    return columns
  }

  private static func isThere(
    _ column: AssetColumn, _ connection: SQLiteConnection, _ catalogue: Catalogue
  ) throws(SQLiteError) -> Bool {
    guard try catalogue.exists(column.table) else { return false }
    let statement = try connection.cachedStatement(
      """
      SELECT count(*) FROM pragma_table_info(?) \
      WHERE "name" = ? COLLATE NOCASE OR "name" = 'z_index'
      """)
    defer { statement.reset() }
    try statement.bind(column.table, at: 1)
    try statement.bind(column.column, at: 2)
    return try statement.step() && statement.column(0).integer == 2
  }

  /// Shows the files that rows name; one of them more than once where the count of its uses is wrong.
  func forEachFile(_ body: (AssetName) throws -> Void) throws {
    guard isCounted else { return }
    try forEachName("SELECT \"name\" FROM \"magic_assets\" WHERE \"uses\" > 0", body)
    for column in columns {
      let name = column.column.quoted
      try forEachName(
        """
        SELECT DISTINCT \(name) FROM \(column.table.quoted) AS "named" \
        WHERE typeof(\(name)) = 'text' AND \(name) <> '' AND NOT EXISTS (\
        SELECT 1 FROM "magic_assets" WHERE "name" = "named".\(name) AND "uses" > 0)
        """, body)
    }
  }

  private func forEachName(_ sql: String, _ body: (AssetName) throws -> Void) throws {
    let statement = try connection.prepare(sql)
    while try statement.step() {
      if let name = AssetName(statement.column(0).text) { try body(name) }
    }
  }

  /// A row that names a file.
  func row(naming name: AssetName) throws(SQLiteError) -> (column: AssetColumn, row: Int64)? {
    for column in columns {
      let statement = try connection.prepare(
        """
        SELECT "z_index" FROM \(column.table.quoted) WHERE \(column.column.quoted) = ? LIMIT 1
        """)
      try statement.bind(name.text, at: 1)
      if try statement.step() { return (column, statement.column(0).integer) }
    }
    return nil
  }
}
