package import MagicEngine
import MagicMigration
package import MagicSchema
package import PostgreSQLEngine
import PostgreSQLTables

/// Plans and runs the migrations of tables.
package struct PostgreSQLMigrator: TableMigrator {
  package init() {}

  package func renameTables(
    of schemas: [ObjectSchema], in session: EngineSession
  ) throws -> [ObjectSchema] {
    let renamed = try RenamedTable.all(of: schemas, session)
    for table in renamed {
      for sql in table.sql { _ = try StoredRows(session: session).execute(sql) }
    }
    return renamed.map(\.schema)
  }

  package func canUse(_ schema: ObjectSchema, in session: EngineSession) throws -> Bool {
    let rows = StoredRows(session: session)
    let table = try StoredTable(
      schema.tableName, storedAs: schema.tableName, renamings: [:], rows)
    var planner = TypePlanner(schema, table, [], rows)
    guard try planner.canReadTable() else { return false }
    if session.context.isReadOnly { return true }
    let search = try SearchMigration(schema, storedAs: schema.tableName, in: session)
    return try search.canUseIndex && planner.canWriteTable()
  }

  package func migrateTables(
    of schemas: [ObjectSchema], in session: EngineSession,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws {
    // All steps that can be planned now are checked before the first change.
    let steps = try schemas.map { schema in
      try outdatedTable(of: schema, renamings: [:], in: session)
        .map { try rowSteps(of: schema, $0, renamings: [:], in: session) } ?? []
    }
    try MagicMigrationPlan(steps: steps.flatMap(\.self)).throwIfRefused()
    for (schema, steps) in zip(schemas, steps) {
      let search = try SearchMigration(schema, storedAs: schema.tableName, in: session)
      try search.around(steps, progress) {
        try MigrationRunner(schema: schema, rows: StoredRows(session: session), progress: progress)
          .run()
      }
      // The next table may be changed only if no check of a new foreign key is pending.
      try session.checkForeignKeys(.always)
    }
  }

  package func plan(
    for schemas: [ObjectSchema], in session: EngineSession
  ) throws -> MagicMigrationPlan {
    guard try Catalogue.exists(on: session.connection) else { return MagicMigrationPlan(steps: []) }
    let renamed = try RenamedTable.all(of: schemas, session)
    let renamings = Dictionary(uniqueKeysWithValues: renamed.map { ($0.old, $0.schema.tableName) })
    let steps = try schemas.flatMap { try self.steps(of: $0, renamings: renamings, in: session) }
    return MagicMigrationPlan(steps: renamed.map(\.step) + steps)
  }

  /// Returns the name and the record of the table of a type; nil if it is current or missing.
  ///
  /// - Parameter renamings: the new names of tables, by the names that they have now.
  private func outdatedTable(
    of schema: ObjectSchema, renamings: [String: String], in session: EngineSession
  ) throws -> (name: String, version: Int)? {
    let old = renamings.first { $0.value == schema.tableName }?.key
    let name = old ?? schema.tableName
    guard old != nil || renamings[schema.tableName] == nil,
      let recorded = try session.recordedType(name, for: schema),
      try old != nil || !session.isUsable(recorded, by: schema)
    else { return nil }
    return (name, Int(recorded.version))
  }

  /// Returns the steps that migrate the table of a type and its search index.
  private func steps(
    of schema: ObjectSchema, renamings: [String: String], in session: EngineSession
  ) throws -> [MagicMigrationPlan.Step] {
    guard let stored = try outdatedTable(of: schema, renamings: renamings, in: session) else {
      return []
    }
    let steps = try rowSteps(of: schema, stored, renamings: renamings, in: session)
    return try SearchMigration(schema, storedAs: stored.name, in: session).adding(to: steps)
  }

  /// Returns the steps that migrate the table of a type.
  private func rowSteps(
    of schema: ObjectSchema, _ stored: (name: String, version: Int), renamings: [String: String],
    in session: EngineSession
  ) throws -> [MagicMigrationPlan.Step] {
    let changes = try StepPlanner.pending(schema, after: stored.version)
    let rows = StoredRows(session: session)
    let table = try StoredTable(
      schema.tableName, storedAs: stored.name, renamings: renamings, rows)
    var planner = TypePlanner(schema, table, changes, rows)
    var remaining: ArraySlice<PendingChange>? = changes[...]
    while let next = remaining { remaining = try planner.plan(next) }
    try planner.planDifferences()
    if planner.operations.isEmpty, !changes.isEmpty {
      planner.add(.additive, changes.recordingSummary)
    }
    return planner.operations.map(\.step)
  }
}
