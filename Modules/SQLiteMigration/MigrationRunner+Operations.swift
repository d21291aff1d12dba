import MagicEngine
import MagicFiles
import MagicMigration
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteSearch
import SQLiteTables

/// Running the operations of a plan.
extension MigrationRunner {
  /// - Returns: the columns that a transformation has set; nil for other operations.
  func run(_ operation: MigrationOperation) throws -> Set<String>? {
    try monitor.check()
    let statements = operation.step.sql
    switch operation.action {
    case .statements: try execute(statements)
    case .replacement:
      // The same members are stored in another place, which triggers of users must not see.
      try connection.replacingTables { try connection.withoutTriggers { try execute(statements) } }
    case .movedRows(let move): try run(move)
    case .rebuild(let rebuild): try connection.replacingTables { try run(rebuild) }
    case .transformation(let transformation):
      return try run(transformation, of: operation.stepNumber)
    case .userStatement: try runUserStatements(statements, of: operation.stepNumber)
    case .file(let column), .missingFile(let column, _): try setFile(column, statements)
    case .storedDefaults: try connection.withoutTriggers { try execute(statements) }
    case .countedFiles(let columns):
      try checkFiles(columns)
      try execute(statements)
    case .searchIndex(let table): try createSearchIndex(table, statements)
    }
    return nil
  }

  private func createSearchIndex(_ table: SearchTable, _ statements: [String]) throws {
    try execute(statements)
    let count = try connection.integer("SELECT count(*) FROM \(table.table.quoted)") ?? 0
    try transaction.searchIndexes.fill(table) {
      try monitor.check()
    } progress: {
      monitor.report(schema, $0, of: Int(count))
    }
  }

  private func execute(_ statements: [String]) throws {
    for statement in statements {
      do {
        try connection.execute(statement)
      } catch {
        guard error.code == .constraint else { throw error }
        throw try duplicates(of: statement) ?? MagicError(error, schema: schema)
      }
    }
  }

  /// Returns an error with the rows that violate a unique index; nil if the statement creates no
  /// such index.
  private func duplicates(of statement: String) throws -> MagicError? {
    let sql = TableSQL(schema: schema)
    guard connection.isInTransaction,
      let index = schema.indexes.first(where: { sql.create($0) == statement })
    else { return nil }
    let columns = index.list.joined(separator: ", ")
    let indexed =
      index.computed == nil
      ? index.columns.joined(separator: ", ") : "the index \(index.name)"
    let table = schema.tableName.quoted
    let condition = index.condition.map { "(\($0))" } ?? "TRUE"
    let rows = try firstRows(
      """
      SELECT "z_index" FROM \(table) WHERE (\(columns)) IN (SELECT \(columns) FROM \(table) \
      WHERE \(condition) GROUP BY \(columns) HAVING count(*) > 1) AND \(condition) \
      ORDER BY "z_index"
      """)
    guard !rows.isEmpty else { return nil }
    return MagicError(
      .notUnique,
      "Unique index violated: in table \(schema.tableName) "
        + "\(RowIDText.text(rows, ("has a duplicate value", "have duplicate values"))) of "
        + "\(indexed). Nothing was changed.",
      type: schema.typeName,
      property: index.columns.count == 1 ? schema.property(storedAs: index.columns[0]) : nil)
  }

  private func run(_ move: RowIDMove) throws {
    let references = try RowReferences(to: [move.table], Catalogue(connection: connection))
    let tables = references.all.map(\.table)
    try transaction.willAlter(tables: tables)
    // No foreign key and no trigger may see a state in which only some rows are moved.
    try connection.replacingTables {
      try connection.withoutTriggers {
        for statement in move.statements(references) {
          try monitor.check()
          try execute([statement])
        }
      }
    }
    try transaction.didAlter(tables: tables)
  }

  private func run(_ rebuild: TableRebuild) throws {
    let count = try connection.integer("SELECT count(*) FROM \(rebuild.table.quoted)") ?? 0
    let restored = try rebuild.objectsToRestore(from: storedObjects())
    for (index, statement) in rebuild.statements.enumerated() {
      guard index == rebuild.copyIndex else {
        try monitor.check()
        try execute([statement])
        continue
      }
      try copy(statement, into: rebuild.newTable, count: Int(count))
    }
    try restore(restored)
  }

  /// Returns the indexes and triggers of the table as they are stored now. Earlier operations may
  /// have renamed the tables and columns that they refer to.
  private func storedObjects() throws -> [UserSchemaObject] {
    try Catalogue(connection: connection).schemaObjects(on: schema.tableName)
  }

  /// Creates indexes and triggers again that were dropped with their table.
  private func restore(_ objects: [UserSchemaObject]) throws {
    for object in objects {
      do {
        try connection.execute(object.sql)
      } catch {
        guard error.isCausedBySQL else { throw error }
        throw MagicError(
          .migrationFailed,
          "Index or trigger \(object.name) does not match the new columns of table "
            + "\(schema.tableName): drop it before the migration. Nothing was changed.",
          type: schema.typeName, cause: error)
      }
    }
  }

  private func copy(_ statement: String, into table: String, count: Int) throws {
    let copy = try connection.prepare(statement)
    let last = try connection.prepare("SELECT max(\"z_index\") FROM \(table.quoted)")
    var next = Int64.min
    var done = 0
    monitor.report(schema, done, of: count)
    while true {
      try monitor.check()
      try copy.bind(next, at: 1)
      try copy.bind(Int64(TableRebuild.batchSize), at: 2)
      try copy.run()
      let copied = connection.changes
      done += copied
      monitor.report(schema, done, of: count)
      guard copied == TableRebuild.batchSize, try last.step() else { return }
      let reached = last.column(0).integer
      last.reset()
      guard reached < .max else { return }
      next = reached + 1
    }
  }

  private func run(
    _ transformation: RowTransformation, of number: Int
  ) throws -> Set<String> {
    let count = try connection.integer("SELECT count(*) FROM \(schema.tableName.quoted)") ?? 0
    let restored = try transformation.objectsToRestore(from: storedObjects())
    try execute(transformation.statementsBeforeRows)
    let rows = try TransformedRows(transformation, in: transaction)
    defer { rows.end() }
    var done = 0
    while try rows.advance() {
      do {
        try transformation.transform.body(MagicOldRow(rows), MagicNewRow(rows))
      } catch {
        throw failure(error, of: number, " in row \(rows.zIndex.rawValue)")
      }
      try rows.write()
      done += 1
      if done % TableRebuild.batchSize == 0 {
        try monitor.check()
        monitor.report(schema, done, of: Int(count))
      }
    }
    rows.end()
    monitor.report(schema, done, of: Int(count))
    try connection.replacingTables {
      try execute(transformation.statementsAfterRows)
      try restore(restored)
    }
    // Without rows it is unknown which columns the closure would have set, so all of them count.
    if count == 0 { return Set(transformation.columns.map(\.folded)) }
    return rows.written.union(transformation.property.map { [$0.folded] } ?? [])
  }

  private func runUserStatements(_ statements: [String], of number: Int) throws {
    for statement in statements {
      let keyword = statement.drop(while: \.isWhitespace).prefix(while: \.isLetter).uppercased()
      let isAlteration = keyword == "ALTER"
      if isAlteration { try transaction.willAlterTableByUserSQL() }
      do {
        try connection.prepare(statement, guarding: LibraryTables.names).run()
      } catch {
        throw error.isCausedBySQL ? failure(error, of: number) : error
      }
      if isAlteration { try transaction.didRunUserSQL() }
      if keyword == "CREATE" { try transaction.checkTriggersAreTrusted() }
    }
    try transaction.didRunUserSQL()
  }

  /// Returns the error for a step whose code has thrown an error.
  private func failure(_ error: any Error, of number: Int, _ location: String = "") -> any Error {
    let reason: String
    switch error {
    case let error as MagicError where error.isCausedByStep: reason = error.message
    case is CancellationError, is MagicError, is FileError: return error
    case let error as SQLiteError:
      guard error.isCausedBySQL else { return error }
      reason = "\(error.message)."
    // The text of the error may contain values, so only its type is used.
    default: reason = "Its closure threw \(type(of: error))."
    }
    return MagicError(
      .migrationFailed,
      "Migration step \(number) of type \(schema.typeName) failed\(location): \(reason) "
        + "Nothing was changed.",
      type: schema.typeName, cause: error)
  }

  /// - Throws: `MagicError` with `.assetMissing` if rows name files that do not exist.
  private func checkFiles(_ columns: [String]) throws {
    for column in columns {
      let rows = try firstRows(
        """
        SELECT "z_index" FROM \(schema.tableName.quoted) WHERE \(column.quoted) <> '' \
        AND \(column.quoted) NOT IN (SELECT "name" FROM "magic_assets" WHERE "uses" >= 0)
        """)
      guard rows.isEmpty else {
        throw MagicError(
          .assetMissing,
          "Missing files in column \(column) of table \(schema.tableName): "
            + "\(RowIDText.text(rows, ("names", "name"))) files that do not exist.",
          type: schema.typeName, property: schema.property(storedAs: column))
      }
    }
  }

  private func setFile(_ column: ColumnSchema, _ statements: [String]) throws {
    let captured = column.capture(column.template, in: transaction.token, marking: { _ in })
    guard case .content(let content) = captured.state else { return }
    try execute(statements) { try $0.bind(transaction.fileName(of: content), at: 1) }
  }

  /// Runs statements with parameters.
  private func execute(
    _ statements: [String], binding bind: (SQLiteStatement) throws -> Void
  ) throws {
    for statement in statements {
      let prepared = try connection.prepare(statement)
      try bind(prepared)
      try prepared.run()
    }
  }
}

extension MagicError {
  /// Whether the closure of a step caused the error: it used a column or a type that the table does
  /// not have.
  fileprivate var isCausedByStep: Bool {
    [.cannotDecode, .cannotEncode, .invalidQuery, .wrongType].contains(code)
  }
}

extension SQLiteError {
  /// Whether the SQL caused the error, and not the disk, the file or another process.
  fileprivate var isCausedBySQL: Bool {
    [.error, .constraint, .misuse, .mismatch, .range, .tooBig, .unauthorized].contains(code)
  }
}
