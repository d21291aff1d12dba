import MagicEngine
import MagicMigration
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Runs a plan in the transaction that is open.
struct MigrationRunner {
  let schema: ObjectSchema
  let transaction: any MigrationTransaction
  let watch: MigrationWatch

  var connection: SQLiteConnection { transaction.connection }

  /// Migrates the type's table.
  ///
  /// - Throws: `MagicError`: `.needsMigration`, before anything was done, where that takes a
  ///   decision.
  func run(_ migration: TableMigration) throws {
    try watch.withCancellationCheck(on: connection) {
      // References that were broken before are no step's fault.
      let checksReferences = try migration.runsUserCode && brokenRows().isEmpty
      try MagicMigrationPlan(steps: migration.operations.map(\.step)).refuse()
      guard var segment = migration.segments.first else { return }
      while let remaining = segment.remaining {
        let written = try run(segment)
        segment = try plan(remaining, after: segment, written: written)
        // What was planned with all steps in view may be refused now that rows are known.
        try MagicMigrationPlan(steps: segment.operations.map(\.step)).refuse()
      }
      _ = try run(segment)
      if checksReferences { try checkReferences(from: segment.afterSteps) }
    }
  }

  /// Plans the next segment from the rows as the user's code has left them.
  private func plan(
    _ changes: ArraySlice<PendingChange>, after segment: MigrationSegment, written: Set<String>?
  ) throws -> MigrationSegment {
    let planner = MigrationPlanner(connection)
    let description = try planner.catalogue.describe(schema.tableName)
      .carrying(segment.afterSteps, from: segment.beforeUserCode, written: written)
    return try planner.segment(of: schema, from: description, changes)
  }

  /// - Returns: where a closure has run, the columns that it has set.
  private func run(_ segment: MigrationSegment) throws -> Set<String>? {
    var written: Set<String>?
    for operation in segment.operations {
      if let set = try run(operation) { written = set }
    }
    return written
  }

  // MARK: References

  /// The first few rows that refer to rows which do not exist.
  private func brokenRows() throws -> [Int64] {
    let statement = try connection.prepare(
      "PRAGMA foreign_key_check(\(schema.tableName.quoted))")
    defer { statement.reset() }
    var rows: [Int64] = []
    while rows.count <= RowNames.most, try statement.step() {
      rows.append(statement.column(1).integer)
    }
    return rows
  }

  /// - Throws: `MagicError` with `.brokenReference` where a step has set a to-one to a row that does
  ///   not exist.
  private func checkReferences(from description: TableDescription) throws {
    var rows = try brokenRows()
    for column in schema.collections where description.hasToOne(for: column, of: schema) {
      let links = LinkTable(owner: schema, column: column).name.quoted
      rows += try firstRows(
        "SELECT \"owner\" FROM \(links) WHERE \"target\" NOT IN "
          + "(SELECT \"z_index\" FROM \(column.target.tableName.quoted))")
    }
    guard rows.isEmpty else {
      throw MagicError(
        .brokenReference,
        "In table \(schema.tableName) \(RowNames.text(rows, ("leads", "lead"))) to rows that are not there. "
          + "Nothing was changed.", type: schema.typeName)
    }
  }

  /// The first few row IDs that a query yields now.
  func firstRows(_ query: String) throws -> [Int64] {
    try StoredRows(connection).firstRows(query)
  }
}
