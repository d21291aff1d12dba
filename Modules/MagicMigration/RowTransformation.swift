package import MagicSchema
package import SQLiteTables

/// Rebuilds a table with the rows that a closure transforms.
///
/// The columns of the new table have no types, so that values are stored unchanged. They are
/// checked when the table gets the schema of the type.
package struct RowTransformation {
  package let schema: ObjectSchema
  /// The columns of the table except `z_index`.
  package let columns: [String]
  package let transform: RowTransform
  /// The only column whose values the closure sets; nil if it may set any column.
  package let property: String?

  private var table: String { schema.tableName.quoted }
  private var newTable: String { (TableRebuild.prefix + schema.tableName).quoted }

  /// Returns the indexes and triggers that are created again on the new table: all except the
  /// library's indexes and the triggers that count file references.
  package func objectsToRestore(from objects: [UserSchemaObject]) -> [UserSchemaObject] {
    let counters = Set(AssetTriggers.suffixes.map { schema.tableName + $0 })
    return objects.filter { !counters.contains($0.name) }
  }

  /// The statements before the rows are copied.
  package var statementsBeforeRows: [String] {
    let names = ["\"z_index\" INTEGER PRIMARY KEY"] + columns.map(\.quoted)
    return ["CREATE TABLE \(newTable) (\(names.joined(separator: ", ")))"]
  }

  /// The query for the old rows.
  package var select: String {
    let names = (["z_index"] + columns).map(\.quoted).joined(separator: ", ")
    return "SELECT \(names) FROM \(table) ORDER BY \"z_index\""
  }

  /// The statement that inserts one row into the new table. Its parameters are the columns.
  package var insert: String {
    let parameters = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    return "INSERT INTO \(newTable) VALUES (\(parameters))"
  }

  /// The statements after the rows are copied.
  package var statementsAfterRows: [String] {
    ["DROP TABLE \(table)", "ALTER TABLE \(newTable) RENAME TO \(table)"]
  }
}
