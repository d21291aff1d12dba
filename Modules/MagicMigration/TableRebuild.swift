import MagicSchema
package import SQLiteTables

/// Rebuilds a table: creates a new table under a temporary name, copies the rows, drops the old
/// table and renames the new one.
///
/// The columns of owned lists follow those of the type. Indexes and triggers of the user and of owned
/// lists are created again.
package struct TableRebuild {
  /// The prefix of a table's temporary name.
  static let prefix = "magic_new "

  /// The number of rows that one statement copies.
  package static let batchSize = 10_000

  package let table: String
  package let newTable: String
  /// All statements in order, except those for the user's indexes and triggers.
  package let statements: [String]
  /// The index of the statement that copies rows. Its parameters are the first row ID and the
  /// maximum number of rows.
  package let copyIndex = 1
  /// The names of the library's triggers.
  private let triggers: Set<String>

  /// - Parameter sources: the expression for each column of the type, computed from the old row.
  init(_ schema: ObjectSchema, _ description: TableDescription, sources: [String]) throws {
    let sql = TableSQL(schema: schema)
    table = schema.tableName
    newTable = Self.prefix + table
    let links = sql.links
    let owned = description.owned.flatMap(\.columns).map { "row.\($0.quoted)" }
    let selected = (["\"z_index\""] + sources + owned).joined(separator: ", ")
    triggers = Set(
      TableSQL.triggers(
        ofTable: description.name,
        links: links.map(\.name) + description.collections.map(\.linkTable)))
    statements =
      try [
        sql.createTable(as: newTable, owned: description.owned),
        "INSERT INTO \(newTable.quoted) SELECT \(selected) FROM \(table.quoted) AS row "
          + "WHERE \"z_index\" >= ?1 ORDER BY \"z_index\" LIMIT ?2",
        "DROP TABLE \(table.quoted)",
        "ALTER TABLE \(newTable.quoted) RENAME TO \(table.quoted)",
      ] + schema.indexes.map(sql.create) + [sql.createHighWaterTrigger]
      + AssetTriggers(schema).create + links.flatMap { try $0.cascadeTriggers }
  }

  /// Returns the indexes and triggers that are created again on the new table: those of the user,
  /// and those of owned lists.
  package func objectsToRestore(from objects: [UserSchemaObject]) -> [UserSchemaObject] {
    objects.filter {
      !triggers.contains($0.name) && !$0.name.hasPrefix(DeletedColumn.prefix)
    }
  }
}
