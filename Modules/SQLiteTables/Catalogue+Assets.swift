package import MagicSQLite
import MagicSchema

/// The list of the columns that contain names of files.
extension Catalogue {
  static let assetColumns = "magic_asset_columns"

  /// Creates the table of the list if it does not exist. Called inside a write transaction.
  func createAssetColumns() throws(SQLiteError) {
    guard try !exists(Self.assetColumns) else { return }
    try connection.execute(
      """
      CREATE TABLE "magic_asset_columns" (
        "table_name" TEXT NOT NULL,
        "column_name" TEXT NOT NULL,
        PRIMARY KEY ("table_name", "column_name")
      ) WITHOUT ROWID
      """)
  }

  /// Returns the columns of a table that contain names of files, in lower case.
  func assetColumns(of table: String) throws(SQLiteError) -> Set<String> {
    guard try exists(Self.assetColumns) else { return [] }
    let statement = try connection.cachedStatement(
      "SELECT \"column_name\" FROM \"magic_asset_columns\" WHERE \"table_name\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var columns: Set<String> = []
    while try statement.step() { columns.insert(statement.column(0).text.folded) }
    return columns
  }

  /// Replaces the list's columns of a type.
  func enterAssets(of schema: ObjectSchema) throws(SQLiteError) {
    guard try exists(Self.assetColumns) else { return }
    let forget = try connection.cachedStatement(
      "DELETE FROM \"magic_asset_columns\" WHERE \"table_name\" = ?")
    try forget.bind(schema.tableName, at: 1)
    try forget.run()
    for column in schema.fileColumns {
      try enter(
        AssetColumn(
          type: schema.typeName, table: schema.tableName, column: schema.columns[column].name))
    }
  }

  /// Inserts a column whose rows refer to files.
  package func enter(_ column: AssetColumn) throws(SQLiteError) {
    let statement = try connection.cachedStatement(
      "INSERT INTO \"magic_asset_columns\" VALUES (?, ?)")
    try statement.bind(column.table, at: 1)
    try statement.bind(column.column, at: 2)
    try statement.run()
  }
}
