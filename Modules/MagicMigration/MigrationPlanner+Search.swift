import MagicSchema
import SQLiteTables

/// The search index of a type in its migration.
extension MigrationPlanner {
  /// Returns the operations with those of the search index. The index is built again if its
  /// declaration, or any row, changes: its triggers must not see the rows of a migration.
  static func withSearch(
    _ operations: [MigrationOperation], of schema: ObjectSchema, _ table: inout TableDescription
  ) -> [MigrationOperation] {
    let declared = SearchTable(schema)
    let keepsRows = operations.allSatisfy { $0.step.kind == .additive }
    guard table.search != declared || !keepsRows else { return operations }
    let isNew = table.search == nil
    let all = dropSearch(of: schema, &table) + operations
    guard let declared else { return all }
    return all + [
      MigrationOperation(
        MagicMigrationPlan.Step(
          type: schema.typeName, kind: .additive,
          summary: "the search index of \(schema.tableName) is "
            + (isNew ? "created" : "built again"),
          sql: declared.create),
        .searchIndex(declared))
    ]
  }

  /// Returns the operation that drops the search index; none if there is no index.
  static func dropSearch(
    of schema: ObjectSchema, _ table: inout TableDescription
  ) -> [MigrationOperation] {
    guard let search = table.search else { return [] }
    table.search = nil
    return [
      MigrationOperation(
        MagicMigrationPlan.Step(
          type: schema.typeName, kind: .additive,
          summary: "the search index of \(table.name) is dropped", sql: search.drop))
    ]
  }
}
