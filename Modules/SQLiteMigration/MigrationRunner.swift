import MagicEngine
import MagicMigration
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Runs the migration of one table in the open transaction.
struct MigrationRunner {
  let schema: ObjectSchema
  let transaction: any MigrationTransaction
  let monitor: MigrationMonitor

  var connection: SQLiteConnection { transaction.connection }

  /// Migrates the type's table.
  ///
  /// - Throws: `MagicError`: `.needsMigration`, before any change, if a step of the plan needs a
  ///   declaration in the type's migrations.
  func run(_ migration: TableMigration) throws {
    try monitor.withCancellationCheck(on: connection) {
      // References that were broken before the migration are not an error of a step.
      let checksReferences = try migration.runsUserCode && brokenRows().isEmpty
      try MagicMigrationPlan(steps: migration.operations.map(\.step)).throwIfRefused()
      guard var segment = migration.segments.first else { return }
      while let remaining = segment.remaining {
        let written = try run(segment)
        segment = try plan(remaining, after: segment, written: written)
        // The first plan could not know the rows that the user's code writes. The new plan is made
        // from these rows and may be refused.
        try MagicMigrationPlan(steps: segment.operations.map(\.step)).throwIfRefused()
      }
      _ = try run(segment)
      if checksReferences { try checkReferences(from: segment.afterSteps) }
    }
  }

  /// Plans the next segment from the rows that the user's code has written.
  private func plan(
    _ changes: ArraySlice<PendingChange>, after segment: MigrationSegment, written: Set<String>?
  ) throws -> MigrationSegment {
    let planner = MigrationPlanner(connection)
    let description = try planner.catalogue.describe(schema.tableName)
      .mergingPlanned(segment.afterSteps, before: segment.beforeUserCode, written: written)
    return try planner.segment(of: schema, from: description, changes)
  }

  /// - Returns: the columns that a closure has set; nil if no closure has run.
  private func run(_ segment: MigrationSegment) throws -> Set<String>? {
    var written: Set<String>?
    for operation in segment.operations {
      if let set = try run(operation) { written = set }
    }
    return written
  }

  // MARK: References

  /// Returns the first few rows that refer to rows that do not exist.
  private func brokenRows() throws -> [Int64] {
    let statement = try connection.prepare(
      "PRAGMA foreign_key_check(\(schema.tableName.quoted))")
    defer { statement.reset() }
    var rows: [Int64] = []
    while rows.count <= RowIDText.maximumCount, try statement.step() {
      rows.append(statement.column(1).integer)
    }
    return rows
  }

  /// - Throws: `MagicError` with `.brokenReference` if a step has set a to-one relationship to a
  ///   row that does not exist.
  private func checkReferences(from description: TableDescription) throws {
    var rows = try brokenRows()
    for column in schema.storedCollections
    where !column.isOwned && description.hasToOne(for: column, of: schema) {
      let links = LinkTable(owner: schema, column: column).name.quoted
      rows += try firstRows(
        "SELECT \"owner\" FROM \(links) WHERE \"target\" NOT IN "
          + "(SELECT \"z_index\" FROM \(column.target.tableName.quoted))")
    }
    guard rows.isEmpty else {
      throw MagicError(
        .brokenReference,
        "Broken references in table \(schema.tableName): "
          + "\(RowIDText.text(rows, ("refers", "refer"))) to rows that do not exist. "
          + "Nothing was changed.", type: schema.typeName)
    }
  }

  /// Returns the first few row IDs that a query returns now.
  func firstRows(_ query: String) throws -> [Int64] {
    try StoredRows(connection).firstRows(query)
  }
}
