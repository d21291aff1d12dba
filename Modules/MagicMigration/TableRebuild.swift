import MagicSchema
package import SQLiteTables

/// Rebuilds a table: creates it under another name, copies the rows, and replaces the old one.
///
/// Indexes and triggers that are not the library's are created again.
package struct TableRebuild {
  /// What the name of a table begins with that is to take the place of another.
  static let prefix = "magic_new "

  /// So many rows are copied at once.
  package static let portion = 10_000

  package let table: String
  package let newTable: String
  /// All that are the library's, in order.
  package let statements: [String]
  /// The one that copies a portion: its parameters are a z-index to begin with, and a number of rows.
  package let copy = 1
  /// The triggers that are the library's.
  private let triggers: Set<String>

  /// - Parameter sources: for each column of the type, what it is made of.
  init(_ schema: ObjectSchema, _ description: TableDescription, sources: [String]) throws {
    let sql = TableSQL(schema: schema)
    table = schema.tableName
    newTable = Self.prefix + table
    let links = sql.links
    let selected = (["\"z_index\""] + sources).joined(separator: ", ")
    triggers = Set(
      TableSQL.triggers(
        ofTable: description.name,
        links: links.map(\.name) + description.collections.map(\.linkTable)))
    statements =
      try [
        sql.createTable(as: newTable),
        "INSERT INTO \(newTable.quoted) SELECT \(selected) FROM \(table.quoted) AS row "
          + "WHERE \"z_index\" >= ?1 ORDER BY \"z_index\" LIMIT ?2",
        "DROP TABLE \(table.quoted)",
        "ALTER TABLE \(newTable.quoted) RENAME TO \(table.quoted)",
      ] + schema.indexes.map(sql.create) + [sql.createHighWaterTrigger]
      + AssetTriggers(schema).create + links.flatMap { try $0.cascadeTriggers }
  }

  /// What is created again on the new table.
  package func kept(of objects: [UserSchemaObject]) -> [UserSchemaObject] {
    objects.filter { !triggers.contains($0.name) }
  }
}
