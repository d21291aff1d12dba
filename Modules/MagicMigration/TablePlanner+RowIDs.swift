import MagicSchema
import SQLiteTables

extension TablePlanner {
  /// Plans that the column of a primary is dropped, because its values are the row IDs now.
  mutating func planRowID(_ column: ColumnSchema) {
    guard let existing = table.column(of: column, schema) else { return }
    matched.insert(existing.name.folded)
    addChange(column, "\(existing.name) is the row ID and has no column")
  }

  /// Plans the column of a primary whose values are the row IDs in the file.
  mutating func planFromRowIDs(_ column: ColumnSchema) throws {
    let summary = "\(column.name) gets a column with the row IDs"
    let existing = TableDescription.Column(
      name: TableSQL.zIndex, type: "INTEGER", isRequired: true, isKey: true, isFile: false,
      values: .stored(as: TableSQL.zIndex))
    guard let source = try source(of: column, from: existing) else {
      addChange(
        column, summary, kind: .destroying,
        refusal: "it is the row ID in the file, which its type cannot represent: give the property "
          + "another name")
      return try planNew(column, inPlace: false)
    }
    addChange(column, summary)
    sources.append(source)
  }
}
