package import MagicSchema
import SQLiteTables

/// Tables that other SQL has created.
extension MigrationPlanner {
  /// Returns the adoptions of types that have a table of other SQL and permit its adoption.
  ///
  /// - Parameter renamings: renamings that run before the adoptions.
  package func adoptions(
    of schemas: [ObjectSchema], after renamings: [TableRenaming] = []
  ) throws -> TableAdoptions {
    let all: [TableAdoption] = try schemas.compactMap { schema in
      guard schema.adoptedTable != nil else { return nil }
      let old = renamings.first { $0.new == schema.tableName }?.old
      let name = old ?? schema.tableName
      guard try catalogue.exists(name), try catalogue.describe(name).isForeign else { return nil }
      var table = try ForeignTable(name, catalogue)
      if old != nil { table.name = schema.tableName }
      return TableAdoption(schema: schema, table: table)
    }
    return TableAdoptions(catalogue: catalogue, all: all)
  }

  /// Returns the operations that refuse an adoption if the type has a table already; empty if there
  /// is nothing to adopt.
  func refusedAdoptions(
    of schema: ObjectSchema, _ changes: [PendingChange], into table: TableDescription
  ) throws -> [MigrationOperation] {
    var operations: [MigrationOperation] = []
    for pending in changes {
      let name: String
      switch pending.change.kind {
      case .adopt(let adopted?, _): name = adopted
      case .adoptJoinTable(let joinTable, _) where !table.isForeign: name = joinTable
      default: continue
      }
      guard !name.isName(schema.tableName), !name.isName(table.storedName),
        try catalogue.exists(name), try catalogue.entry(for: name) == nil
      else { continue }
      let step = MagicMigrationPlan.Step(
        type: schema.typeName, kind: .rewriting,
        summary: "step \(pending.number), the rows of the table \(name) are adopted",
        refusal: "the table \(schema.tableName) exists already: copy the rows with objects or SQL, "
          + "and drop \(name)")
      operations.append(MigrationOperation(step))
    }
    return operations
  }
}
