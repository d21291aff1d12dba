import MagicSQLite
import MagicSchema

extension Catalogue {
  /// The columns of a table that hold names of files, in lower case.
  func assetColumns(of table: String) throws(SQLiteError) -> Set<String> {
    guard try exists(AssetTable.columns) else { return [] }
    let statement = try connection.cachedStatement(
      "SELECT \"column_name\" FROM \"magic_asset_columns\" WHERE \"table_name\" = ?")
    defer { statement.reset() }
    try statement.bind(table, at: 1)
    var columns: Set<String> = []
    while try statement.step() { columns.insert(statement.column(0).text.folded) }
    return columns
  }

  /// Enters the columns of a type that hold names of files, and no others.
  func enterAssets(of schema: ObjectSchema) throws(SQLiteError) {
    guard try exists(AssetTable.columns) else { return }
    let forget = try connection.cachedStatement(
      "DELETE FROM \"magic_asset_columns\" WHERE \"table_name\" = ?")
    try forget.bind(schema.tableName, at: 1)
    try forget.run()
    let table = AssetTable(connection: connection)
    for column in schema.fileColumns {
      try table.list(
        AssetColumn(
          type: schema.typeName, table: schema.tableName, column: schema.columns[column].name))
    }
  }
}
