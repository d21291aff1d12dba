package import MagicSchema
package import SQLiteTables

/// Rebuilds a table from what a closure makes of its rows.
///
/// The new table's columns have no types, so that values are stored as they are set: they are checked
/// when the table gets the schema of the type.
package struct RowTransformation {
  package let schema: ObjectSchema
  /// The table's columns but the z-index.
  package let columns: [String]
  package let transform: RowTransform
  /// The one column whose values are set; nil where it may be any.
  package let property: String?

  private var table: String { schema.tableName.quoted }
  private var newTable: String { (TableRebuild.prefix + schema.tableName).quoted }

  /// What is created again on the new table: all but the library's indexes and what counts files.
  package func kept(of objects: [UserSchemaObject]) -> [UserSchemaObject] {
    let counters = Set(AssetTriggers.suffixes.map { schema.tableName + $0 })
    return objects.filter { !counters.contains($0.name) }
  }

  /// What comes before the rows.
  package var opening: [String] {
    let names = ["\"z_index\" INTEGER PRIMARY KEY"] + columns.map(\.quoted)
    return ["CREATE TABLE \(newTable) (\(names.joined(separator: ", ")))"]
  }

  /// The rows that are read.
  package var select: String {
    let names = (["z_index"] + columns).map(\.quoted).joined(separator: ", ")
    return "SELECT \(names) FROM \(table) ORDER BY \"z_index\""
  }

  /// Puts one row into the new table; its parameters are its columns.
  package var insert: String {
    let places = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
    return "INSERT INTO \(newTable) VALUES (\(places))"
  }

  /// What comes after the rows.
  package var closing: [String] {
    ["DROP TABLE \(table)", "ALTER TABLE \(newTable) RENAME TO \(table)"]
  }
}
