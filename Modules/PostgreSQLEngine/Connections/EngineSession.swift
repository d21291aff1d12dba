import Dispatch
import MagicEngine
package import MagicPostgreSQL
package import MagicSchema
import PostgreSQLFiles
package import PostgreSQLSearch
import PostgreSQLTables

/// What the engine keeps with a connection: the types whose tables it has checked, their statements,
/// and the memory of parameters. Used by the thread that uses the connection.
package final class EngineSession {
  package let connection: PostgreSQLConnection
  package let context: EngineContext
  /// The number of migrations that had run when ``types`` was last checked, and the time of the check.
  @exclusivity(unchecked) private var migrations: (count: String?, time: UInt64) = (nil, 0)
  /// Whether a write transaction was begun on the connection.
  @exclusivity(unchecked) private var hasBegun = false
  /// The number of savepoints that were begun.
  @exclusivity(unchecked) var savepointCount = 0
  /// The savepoint that has ended last and is not released; nil if there is none.
  @exclusivity(unchecked) var unreleasedSavepoint: String?
  /// The parameters of the statement that runs next.
  package let fields = PostgreSQLFields()
  /// Migrates outdated tables; nil to refuse migrations.
  let migrator: (any TableMigrator)?
  /// The assets that the open transaction has stored.
  let assets: SessionAssets
  package let texts = TextMemory()
  /// The statements of the types with a current table, by the ordinals of the types.
  @exclusivity(unchecked) private var types: [TypeStatements?] = []
  private var others: [String: PostgreSQLStatement] = [:]
  /// The statements of queries.
  let queries = QueryStatements()
  /// The names of the foreign keys as a list of SQL; nil if they are not known.
  @exclusivity(unchecked) var knownForeignKeys: String?
  /// The number of relationships when they were last read.
  @exclusivity(unchecked) var relationshipCount = 0
  /// The numbers of the tables in ``blocks`` and in the counters of a transaction.
  @exclusivity(unchecked) var tables = TableNumbers()
  /// The row IDs that the connection has reserved.
  @exclusivity(unchecked) var blocks = RowIDBlocks()

  init(
    _ connection: PostgreSQLConnection, _ context: EngineContext, _ migrator: (any TableMigrator)?
  ) {
    self.connection = connection
    self.migrator = migrator
    search = SearchSession(connection)
    self.context = context
    assets = SessionAssets(connection, of: context.token, staging: context.staging)
  }

  /// Returns the statements of a type; nil if it has no table.
  ///
  /// - Throws: ``MigrationRequired`` if the table is outdated.
  func statements(of schema: ObjectSchema) throws -> TypeStatements? {
    if schema.ordinal < types.count, let known = types[schema.ordinal] {
      if isWriting { try search.prepareWriting(of: schema) }
      return known
    }
    _ = try schema.reach
    try queries.removeRetired(from: connection)
    try context.owners.check(schema)
    guard try isCurrent(schema) else { return nil }
    try context.owners.claim(schema)
    for target in try schema.targets where target !== schema { try context.owners.claim(target) }
    let statements = try TypeStatements(schema)
    // Another process may have created the table.
    knownForeignKeys = nil
    while types.count <= schema.ordinal { types.append(nil) }
    types[schema.ordinal] = statements
    if isWriting { try search.prepareWriting(of: schema) }
    return statements
  }

  /// Returns whether the type's table exists.
  ///
  /// - Throws: ``MigrationRequired`` if the table has the schema of an earlier version of the type;
  ///   `MagicError` with `.newerSchema`.
  private func isCurrent(_ schema: ObjectSchema) throws -> Bool {
    guard let recorded = try recordedType(schema.tableName, for: schema) else {
      guard !schema.formerTableNames.isEmpty, migrator != nil,
        try context.catalogueExists({ try Catalogue.exists(on: connection) }),
        try FormerTable.of(schema, among: Catalogue.tables(on: connection), context.owners) != nil
      else { return false }
      throw MigrationRequired(schema)
    }
    if try isUsable(recorded, by: schema) {
      try checkDescription(recorded, of: schema)
      return true
    }
    guard recorded.version <= schema.migrations.version else {
      throw MagicError(
        .newerSchema,
        "A newer version of the program has migrated the table. Update this program.",
        type: schema.typeName)
    }
    throw MigrationRequired(schema)
  }

  /// What the catalogue contains about the type of a table.
  package struct RecordedType {
    package let fingerprint: String
    /// The number of declared steps.
    package let version: Int64
    /// Whether the table has had the schema of the asking type since the last declared step.
    let isLater: Bool
    /// The hash of the description of the properties.
    let properties: String
  }

  /// Returns what the catalogue contains about the type of a table.
  package func recordedType(
    _ table: String, for schema: ObjectSchema
  ) throws -> RecordedType? {
    guard try context.catalogueExists({ try Catalogue.exists(on: connection) }) else { return nil }
    fields.removeAll()
    fields.append(text: table)
    fields.append(text: schema.fingerprint)
    let result = try translatingErrors { try connection.run(Catalogue.selectType, fields) }
    guard result.count > 0 else { return nil }
    if result.integer(0, 3) != 0 { hasUserTriggers = true }
    return RecordedType(
      fingerprint: result.text(0, 0), version: result.integer(0, 1),
      isLater: result.integer(0, 2) != 0, properties: result.text(0, 4))
  }

  /// Returns whether a type can use a table without a migration: if the table has its schema, or that of a
  /// later version of the type which has everything that this version needs. An earlier version of the
  /// program continues to run while a later one is deployed, and does not change the table back. A
  /// database that only reads can use each table with the columns of the type.
  package func isUsable(_ recorded: RecordedType, by schema: ObjectSchema) throws -> Bool {
    if recorded.fingerprint == schema.fingerprint { return true }
    guard recorded.isLater || context.isReadOnly,
      recorded.version == Int64(schema.migrations.version)
    else { return false }
    return try migrator?.canUse(schema, in: self) ?? false
  }

  /// Whether the open transaction has created or changed tables.
  @exclusivity(unchecked) var hasNewTables = false

  /// Whether a table that was checked has triggers of users.
  @exclusivity(unchecked) private(set) var hasUserTriggers = false

  /// The types whose properties the database describes otherwise.
  @exclusivity(unchecked) var outdatedDescriptions: [ObjectSchema] = []

  /// Whether a write transaction is open.
  @exclusivity(unchecked) var isWriting = false

  /// The search indexes.
  package let search: SearchSession

  /// The tables whose schema the open transaction has changed.
  @exclusivity(unchecked) var alteredTables: Set<String> = []

  /// Forgets all types if other processes have migrated tables since the last call.
  ///
  /// - Parameter count: the number of migrations that have run.
  func note(migrations count: String) {
    if count != migrations.count { forgetTypes() }
    migrations = (count, DispatchTime.now().uptimeNanoseconds)
  }

  /// Sends the begin of a concurrent transaction without waiting for its result.
  ///
  /// If the database was migrated meanwhile, the first statement that waits fails, and the connection has a
  /// conflict: the call runs again, with the new schema.
  ///
  /// - Returns: false if the connection has not written before, so that the caller waits for the result:
  ///   the server may refuse writes.
  func beginLater() throws -> Bool {
    guard let known = migrations.count, hasBegun else { return false }
    connection.conflict = nil
    do {
      for statement in WriteMode.beginConcurrent { try connection.runLater(statement) }
      try connection.runLater(Catalogue.migrationsAsText) { [unowned self] result in
        guard result.count > 0 else { return true }
        note(migrations: result.text(0, 0))
        guard result.text(0, 0) != known else { return true }
        connection.conflict = PostgreSQLError(
          .refused, "The database was migrated by another process.", sqlState: "40001")
        return false
      }
    } catch {
      connection.rollBack()
      throw error
    }
    return true
  }

  /// Records the begin of a write transaction whose result is known. The next ones need not wait for theirs.
  func noteBegin() throws(PostgreSQLError) {
    try connection.prepare(Catalogue.migrationsAsText)
    hasBegun = true
  }

  /// Forgets the types, because a statement has failed as if the table had other columns.
  func forgetTypes() {
    for case let statements? in types { queries.retire(statements) }
    types.removeAll()
    outdatedDescriptions.removeAll()
    queries.removeAll()
    search.forget()
    knownForeignKeys = nil
  }

  /// Whether the number of migrations was read too long ago.
  var needsMigrationCheck: Bool {
    !types.isEmpty
      && DispatchTime.now().uptimeNanoseconds - migrations.time > context.typeCheckNanoseconds
  }

  /// Forgets what was checked in a transaction, or a part of it, that was rolled back.
  func forgetTables() {
    search.didRollBack()
    guard hasNewTables else { return }
    forgetTypes()
    blocks.removeAll()
  }

  /// Returns a statement that is identified by its SQL.
  package func statement(_ sql: String, _ types: [PostgreSQLType]) -> PostgreSQLStatement {
    if let statement = others[sql] { return statement }
    let statement = PostgreSQLStatement(sql, types)
    others[sql] = statement
    return statement
  }

  /// Runs a statement with one parameter, a list of row IDs.
  func run(
    _ sql: String, _ rowIDs: some Collection<Int64>, _ schema: ObjectSchema? = nil
  ) throws -> PostgreSQLResult {
    fields.removeAll()
    fields.append(integers: rowIDs)
    return try run(statement(sql, [.bigint.array]), schema)
  }

  /// Runs a statement with the values of ``fields``.
  package func run(
    _ statement: PostgreSQLStatement, _ schema: ObjectSchema? = nil
  ) throws -> PostgreSQLResult {
    try translatingErrors(schema) { try connection.run(statement, fields) }
  }
}
