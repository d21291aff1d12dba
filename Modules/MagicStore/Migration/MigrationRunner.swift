import MagicSQLite
import MagicSchema

/// Carries the steps of a type out, in the transaction that is under way.
struct MigrationRunner {
  let schema: ObjectSchema
  let transaction: WriteTransaction
  let watch: MigrationWatch

  var connection: SQLiteConnection { transaction.store.connection }

  /// Brings the type's table to its shape.
  ///
  /// - Throws: `MagicError`: `.needsMigration`, before anything was done, where that takes a
  ///   decision.
  func run() throws {
    try connection.heeding(watch.isCancelled) {
      do {
        try bringToShape()
      } catch {
        // A statement that was interrupted for it says so in its own way.
        try watch.check()
        throw error
      }
    }
  }

  private func bringToShape() throws {
    var shape = try TableShape(of: schema.tableName, on: connection)
    try TablePlanner.check(shape, for: schema)
    let pending = try StepPlanner.pending(schema, after: shape.version)
    let readsRows = pending.contains { $0.change.readsRows }
    // What was broken before is no step's work.
    let isWhole = try readsRows && brokenRows().isEmpty
    if !pending.isEmpty {
      try plan(from: shape).refuse()
      for index in pending.indices { shape = try take(pending, index, from: shape) }
    }
    let works = try TablePlanner.works(for: schema, from: shape, on: connection)
    try MagicMigrationPlan(steps: works.map(\.step)).refuse()
    for work in works { _ = try run(work, of: 0) }
    if isWhole { try checkReferences(from: shape) }
  }

  private func plan(from shape: TableShape) throws -> MagicMigrationPlan {
    MagicMigrationPlan(steps: try MigrationPlanner(connection).steps(for: schema, from: shape))
  }

  /// Takes one change of the type's own steps.
  ///
  /// - Returns: the table as it is then.
  private func take(
    _ pending: [StepPlanner.Pending], _ index: Int, from shape: TableShape
  ) throws -> TableShape {
    var planner = StepPlanner(schema: schema, connection: connection, shape: shape)
    let works = try planner.works(for: pending, at: index)
    // What was planned with all steps in view may be refused now that rows are known.
    try MagicMigrationPlan(steps: works.map(\.step)).refuse()
    var written: Set<String>?
    for work in works {
      if let set = try run(work, of: pending[index].number) { written = set }
    }
    return try TableShape(of: schema.tableName, on: connection)
      .carrying(planner.shape, from: shape, written: written)
  }

  // MARK: References

  /// The first few rows that lead to rows which are not there.
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

  /// - Throws: `MagicError` with `.brokenReference` where a step has set a to-one to a row that is
  ///   not there.
  private func checkReferences(from shape: TableShape) throws {
    var rows = try brokenRows()
    for column in schema.collections where shape.hasToOne(for: column, of: schema) {
      let links = LinkTable(owner: schema, column: column).name.quoted
      rows += try TableFacts.firstRows(
        "SELECT \"owner\" FROM \(links) WHERE \"target\" NOT IN "
          + "(SELECT \"z_index\" FROM \(column.target.tableName.quoted))", on: connection)
    }
    guard rows.isEmpty else {
      throw MagicError(
        .brokenReference,
        "In table \(schema.tableName) \(RowNames.text(rows, ("leads", "lead"))) to rows that are not there. "
          + "Nothing was changed.", type: schema.typeName)
    }
  }
}
