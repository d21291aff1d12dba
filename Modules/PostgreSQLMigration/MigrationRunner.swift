import Foundation
import MagicEngine
import MagicMigration
import MagicPostgreSQL
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// Runs the migration of one table in the open transaction.
struct MigrationRunner {
  let schema: ObjectSchema
  let rows: StoredRows
  let progress: (MagicMigrationProgress) -> Void

  private var session: EngineSession { rows.session }

  /// Migrates the table. What follows code of the user is planned after that code has run, because
  /// its effect on the rows is not known before.
  func run() throws {
    guard let recorded = try session.recordedType(schema.tableName, for: schema) else { return }
    let changes = try StepPlanner.pending(schema, after: Int(recorded.version))
    var remaining: ArraySlice<PendingChange>? = changes[...]
    var free: Set<String> = []
    while let next = remaining {
      let table = try StoredTable(schema.tableName, storedAs: schema.tableName, rows)
      var planner = TypePlanner(schema, table, changes, free: free, rows)
      remaining = try planner.plan(next)
      if remaining == nil { try planner.planDifferences() }
      try MagicMigrationPlan(steps: planner.operations.map(\.step)).throwIfRefused()
      free = planner.freeColumns
      for operation in planner.operations { free.formUnion(try run(operation)) }
    }
    guard schema.countedColumn != nil else { return }
    let sequence = TableDefinition.primaries(of: schema.tableName).quoted
    try execute("CREATE SEQUENCE IF NOT EXISTS \(sequence)")
  }

  private func execute(_ sql: String) throws {
    do {
      try session.connection.execute(sql)
    } catch  where error.sqlState == "23503" {
      throw MagicError.brokenReferences(error, schema)
    } catch {
      throw MagicError(error, schema: schema)
    }
  }

  /// - Returns: the folded names of the columns that a closure has set.
  private func run(_ operation: Operation) throws -> Set<String> {
    try Task.checkCancellation()
    switch operation.action {
    case .statements: for sql in operation.step.sql { try execute(sql) }
    case .uniqueIndex(let columns):
      try checkDuplicates(of: columns)
      for sql in operation.step.sql { try execute(sql) }
    case .userStatement:
      for sql in operation.step.sql { try runUserStatement(sql, operation.stepNumber) }
    case .transformation(let transform):
      let transformation = try RowTransformer(
        schema: schema, transform: transform, step: operation.stepNumber, rows: rows)
      return try transformation.run(progress)
    case .file(let column): try setFile(column)
    }
    return []
  }

  /// - Throws: `MagicError` with `.notUnique` and the rows that have the same values.
  private func checkDuplicates(of columns: [String]) throws {
    let names = TableDefinition.keys(
      of: columns, collation: TableDefinition(schema: schema).collation(of:)
    ).joined(separator: ", ")
    let table = schema.tableName.quoted
    let found = try rows.firstRows(
      "SELECT \"z_index\" FROM \(table) WHERE (\(names)) IN (SELECT \(names) FROM \(table) "
        + "GROUP BY \(names) HAVING count(*) > 1) ORDER BY \"z_index\"")
    guard !found.isEmpty else { return }
    throw MagicError(
      .notUnique,
      "Unique index violated: in table \(schema.tableName) "
        + "\(RowIDText.text(found, ("has a duplicate value", "have duplicate values"))) of "
        + "\(columns.joined(separator: ", ")). Nothing was changed.",
      type: schema.typeName,
      property: columns.count == 1 ? schema.property(storedAs: columns[0]) : nil)
  }

  // MARK: Code of the user

  /// Runs one statement. The protocol of prepared statements permits only one, and statements that
  /// end the transaction are refused.
  private func runUserStatement(_ sql: String, _ number: Int) throws {
    let keyword = sql.drop(while: { !$0.isLetter }).prefix(while: \.isLetter).uppercased()
    guard ["INSERT", "UPDATE", "DELETE", "WITH", "SELECT", "MERGE"].contains(keyword) else {
      throw failure(number, "It runs only statements that change rows.", nil)
    }
    guard sql.folded.range(of: "magic_") == nil else {
      throw failure(number, "It names tables of the library.", nil)
    }
    do {
      try session.connection.run(PostgreSQLStatement(sql))
    } catch {
      switch error.kind {
      case .refused where ["57014", "55P03", "40P01", "40001"].contains(error.sqlState):
        throw MagicError(error, schema: schema)
      case .refused:
        throw failure(number, "\(error.message).", error)
      default: throw MagicError(error, schema: schema)
      }
    }
  }

  private func failure(_ number: Int, _ reason: String, _ cause: (any Error)?) -> MagicError {
    MagicError(
      .migrationFailed,
      "Migration step \(number) of type \(schema.typeName) failed: \(reason) Nothing was changed.",
      type: schema.typeName, cause: cause)
  }

  // MARK: Assets

  /// Stores the asset of the property's default in the rows without one.
  private func setFile(_ column: ColumnSchema) throws {
    let token = session.context.token
    let captured = column.capture(column.template, in: token, marking: { _ in })
    guard case .content(let content) = captured.state else { return }
    let name = try session.assetName(of: content, column, schema)
    try execute(
      "UPDATE \(schema.tableName.quoted) SET \(column.name.quoted) = \(name.literal) "
        + "WHERE coalesce(\(column.name.quoted), '') = ''")
  }
}
