import MagicSQLite

/// What a file says about its types.
struct FileSchema: SchemaSource {
  let reader: InspectionReader
  let tables: [String: TableKind]
  let format: Int

  func types() throws -> [CatalogueType] {
    let version = format >= 2 ? "version" : "0"
    return try reader.map(
      "SELECT table_name, type_name, \(version) FROM magic_catalogue",
      limit: InspectionReader.schemaLimit
    ) {
      CatalogueType(
        table: $0.text(0) ?? "", name: $0.text(1) ?? "",
        version: Int(truncatingIfNeeded: $0.column(2).integer))
    }
  }

  func relationships() throws -> [CatalogueRelationship] {
    guard tables["magic_relationships"] == .table else { return [] }
    return try reader.map(
      """
      SELECT owner_table, property, kind, target_table, on_delete, link_table \
      FROM magic_relationships
      """, limit: InspectionReader.schemaLimit
    ) {
      CatalogueRelationship(
        owner: $0.text(0) ?? "", name: $0.text(1) ?? "", kind: $0.text(2) ?? "",
        target: $0.text(3) ?? "", deleteRule: $0.text(4) ?? "", joinTable: $0.text(5))
    }
  }

  func assetColumns() throws -> Set<[String]> {
    guard tables["magic_asset_columns"] == .table else { return [] }
    return Set(
      try reader.map(
        "SELECT table_name, column_name FROM magic_asset_columns",
        limit: InspectionReader.schemaLimit
      ) { [$0.text(0) ?? "", $0.text(1) ?? ""] })
  }

  func properties() throws -> [CatalogueProperty] {
    guard format >= 3, tables["magic_columns"] == .table else { return [] }
    return try reader.map(
      "SELECT table_name, property, column_name, swift_type, form, details FROM magic_columns",
      limit: InspectionReader.schemaLimit
    ) {
      CatalogueProperty(
        table: $0.text(0) ?? "", name: $0.text(1) ?? "", column: $0.text(2),
        swiftType: $0.text(3) ?? "", form: $0.text(4) ?? "", details: $0.text(5))
    }
  }

  func columns(of table: String) throws -> [DeclaredColumn] {
    try reader.declaredColumns(of: table)
  }

  func indexes(of table: String) throws -> [InspectedIndex] { try reader.indexes(of: table) }

  func searchIndex(
    of table: String, _ columns: [InspectedColumn]
  ) throws -> InspectedSearchIndex? {
    let (name, log) = (InspectedSearchIndex.table(of: table), InspectedSearchIndex.log(of: table))
    guard tables[name] == .virtual, tables[log] == .table else { return nil }
    let sql = try reader.map(
      "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [.init(.text(name))]
    ) { $0.text(0) ?? "" }
    let logColumns = try reader.declaredColumns(of: log).map(\.name)
    return sql.first.flatMap {
      InspectedSearchIndex(table: table, columns: columns, sql: $0, logColumns: logColumns)
    }
  }

  func samples(of column: String, in table: String) throws -> [InspectedValue] {
    try reader.map(
      """
      SELECT \(column.quoted) FROM \(table.quoted) WHERE \(column.quoted) IS NOT NULL LIMIT 16
      """
    ) { InspectedValue($0.column(0), limit: 4_096) }
  }
}
