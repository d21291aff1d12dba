package import MagicSchema
package import SQLiteTables

/// Primaries that become the row ID, or were it before.
extension MigrationPlanner {
  /// Plans the new row IDs of a table whose primary becomes the row ID.
  func movedRows(
    of schema: ObjectSchema, in table: TableDescription
  ) throws -> [MigrationOperation] {
    guard let primary = schema.columns.first(where: \.isRowID),
      let existing = table.column(of: primary, schema)
    else { return [] }
    let continues = MigrationOperation(
      MagicMigrationPlan.Step(
        type: schema.typeName, property: primary.property, kind: .rewriting,
        summary: "values of \(existing.name) that were used are not assigned again",
        sql: [raise("high_water", of: table)]))
    let move = RowIDMove(table: table.name, column: existing.name)
    guard try isMoved(existing, in: table) else { return [continues] }
    let references = try RowReferences(to: [table.storedName], catalogue)
    let step = MagicMigrationPlan.Step(
      type: schema.typeName, property: primary.property, kind: .rewriting,
      summary:
        "the row IDs become the values of \(existing.name), and all references to them change",
      sql: move.statements(references), refusal: try refusal(of: existing, in: table))
    return [MigrationOperation(step, .movedRows(move)), continues]
  }

  /// Plans that a primary with a column of its own again does not reuse row IDs.
  func continuedPrimaries(
    of schema: ObjectSchema, after table: TableDescription
  ) -> [MigrationOperation] {
    guard let primary = schema.autoIncrementPrimary, !schema.hasRowIDPrimary,
      table.hasRowIDPrimary(schema.columns[primary], schema)
    else { return [] }
    let column = schema.columns[primary]
    return [
      MigrationOperation(
        MagicMigrationPlan.Step(
          type: schema.typeName, property: column.property, kind: .rewriting,
          summary: "row IDs that were used are not assigned to \(column.name) again",
          sql: [raise("primary_high_water", of: table)]))
    ]
  }

  /// Returns the statement that raises a high-water mark to the higher one of both marks.
  private func raise(_ mark: String, of table: TableDescription) -> String {
    "UPDATE \"magic_catalogue\" SET \(mark.quoted) = max(\"high_water\", \"primary_high_water\") "
      + "WHERE \"table_name\" = \(table.name.literal)"
  }

  /// Whether rows get other row IDs. True if that is not known yet.
  private func isMoved(
    _ column: TableDescription.Column, in table: TableDescription
  ) throws -> Bool {
    guard column.isStored else { return true }
    return try !statistics(table).rows(where: { "\($0) IS NOT \"z_index\"" }, of: column).isEmpty
  }

  private func statistics(_ table: TableDescription) -> RowStatistics {
    RowStatistics(description: table, queries: rows)
  }

  /// Returns the reason why the values of a column cannot become the row IDs; nil if they can.
  private func refusal(
    of column: TableDescription.Column, in table: TableDescription
  ) throws -> String? {
    if try catalogue.exists("magic_format"), try catalogue.rowIDRange().isShared {
      return "the database is shared, so its row IDs cannot change: remove the option .rowID"
    }
    let name = column.name
    let invalid = try statistics(table).rows(
      where: { "typeof(\($0)) <> 'integer' OR \($0) < 1" }, of: column)
    guard invalid.isEmpty else {
      return "\(RowIDText.text(invalid, RowIDText.have)) a value of \(name) that is not an integer "
        + "above 0: give them other values first, or remove the option .rowID"
    }
    let stored = table.storedSource
    let duplicates = try statistics(table).rows(
      where: { "\($0) IN (SELECT \($0) FROM \(stored) GROUP BY 1 HAVING count(*) > 1)" },
      of: column)
    guard duplicates.isEmpty else {
      return "\(RowIDText.text(duplicates, RowIDText.have)) the same value of \(name) as "
        + "another row: give them other values first, or remove the option .rowID"
    }
    let negative = try statistics(table).rows(where: { _ in "\"z_index\" < 1" }, of: column)
    guard negative.isEmpty else {
      return "\(RowIDText.text(negative, RowIDText.have)) a row ID below 1: insert them again, or "
        + "remove the option .rowID"
    }
    return nil
  }
}

extension TableDescription {
  /// Returns the column that has the values of a primary that becomes the row ID.
  func column(of primary: ColumnSchema, _ schema: ObjectSchema) -> Column? {
    ([primary.property] + schema.formerNames(of: primary)).lazy
      .compactMap { column(named: $0) }.first { !$0.isKey }
  }

  /// Whether a primary with a column of its own is the row ID in the file.
  package func hasRowIDPrimary(_ primary: ColumnSchema, _ schema: ObjectSchema) -> Bool {
    guard let rowIDProperty else { return false }
    return ([primary.property] + schema.names(of: primary)).contains { $0.isName(rowIDProperty) }
  }
}
