package import MagicEngine
package import MagicSQLite
package import MagicSchema
package import SQLiteFiles
package import SQLiteSearch
import SQLiteTables

/// One connection of a store, with the statements of every type that was used on it.
package final class StoreConnection {
  package let connection: SQLiteConnection
  private let context: StoreContext
  // The values below are copies, because other modules read them in each transaction.
  package let token: StoreToken
  package let files: StoreFiles
  /// The search indexes of the file.
  package let searchIndexes: SearchIndexes
  /// Determines whether the running call may continue.
  package let lifecycle: StoreLifecycle
  /// The rows that readers have looked up by primary; nil if none are cached.
  package let cache: RowCache?
  package let arena = ParameterArena()
  /// The parameter values of a fetch; empty between fetches.
  package let parameters = FieldBuffer()
  /// The changes that saves on this connection capture; empty between saves.
  package let changeset = Changeset()
  /// Observes the transactions of the connection that writes; nil for other connections.
  package let hook: (any CommitHook)?
  /// Digests what is read, for a caller that compares it with an earlier read.
  @exclusivity(unchecked) package var digest: ResultDigest?
  /// Records what is read, for a caller that needs the tables and rows that a body has read.
  @exclusivity(unchecked) var recorder: ReadRecorder?
  /// The part of the log that the open snapshot of this connection keeps.
  @exclusivity(unchecked) package var pin: SnapshotPin?
  @exclusivity(unchecked) package var rowIDs = RowIDSequences()
  /// The compiled statements of queries.
  @exclusivity(unchecked) var queries = QueryStatementCache()
  /// A buffer for rows of values, for reuse by the next read.
  @exclusivity(unchecked) private var spareValues: FieldBuffer?
  /// Whether triggers of users, or tables of other programs, may replace or delete rows without a report of SQLite; nil
  /// if that is unknown.
  @exclusivity(unchecked) var mayReplaceRows: Bool?
  @exclusivity(unchecked) private var types: [TypeStatements?] = []
  private var isClosed = false
  /// The file's schema version when the statements were last known to be valid.
  private var knownSchemaVersion: Int64?

  /// - Parameter hook: observes the transactions, if the connection writes.
  package init(
    _ connection: SQLiteConnection, in context: StoreContext, hook: (any CommitHook)? = nil
  ) {
    self.connection = connection
    self.context = context
    token = context.token
    files = context.files
    searchIndexes = SearchIndexes(connection, folder: context.files.folder)
    lifecycle = context.lifecycle
    cache = context.cache
    self.hook = hook
    cache?.didOpen()
  }

  deinit { close() }

  /// Called before a statement whose changes of rows SQLite does not report: one that may delete
  /// all rows of a table, change row IDs, or change the schema; and SQL of users.
  package func noteUnreportedChanges() {
    connection.changedRows?.markIncomplete()
    mayReplaceRows = nil
  }

  var owners: TableOwners { context.owners }
  package var snapshots: OpenSnapshots { context.snapshots }

  /// Detects slow queries; nil if they are not reported.
  package var diagnostics: Diagnostics? { context.diagnostics }

  var postponingMinimum: Int { context.postponingMinimum }

  /// Returns a lease, which keeps the store open until it is released; nil if the store is closed.
  func makeLease() -> StoreLease? { context.leases.makeLease() }

  /// Whether this connection writes and has an open transaction.
  package var isWriting: Bool { writes && connection.isInTransaction }

  /// Whether the database is only read.
  package var isReadOnly: Bool { owners.isReadOnly }

  /// Migrates tables if a transaction has no plan.
  var migrator: any StoreMigrator { context.migrator }

  /// Returns the table of a type, with its statements.
  package func table(of schema: ObjectSchema) throws -> TableState {
    guard recorder == nil else {
      return try recordedTable(of: schema) { try knownTable(of: schema) }
    }
    return try knownTable(of: schema)
  }

  /// Whether the table of a type is known to be current.
  func hasStatements(of schema: ObjectSchema) -> Bool {
    schema.ordinal < types.count && types[schema.ordinal] != nil
  }

  /// The hash of the table's name if this connection has read rows of the type and they can be cached.
  func cachedTable(of schema: ObjectSchema) -> UInt64? {
    schema.ordinal < types.count ? types[schema.ordinal]?.cachedTable : nil
  }

  @inline(__always)
  private func knownTable(of schema: ObjectSchema) throws -> TableState {
    if schema.ordinal < types.count, let known = types[schema.ordinal] { return .current(known) }
    return try findTable(of: schema)
  }

  /// Returns the type that is known to use a table.
  package func type(ofTable table: String) -> ObjectSchema? { owners.owner(of: table) }

  /// Whether the file has the table and the join tables of a type.
  ///
  /// - Throws: ``MigrationRequired`` if the table is outdated.
  package func hasAllTables(of schema: ObjectSchema) throws -> Bool {
    try statements(of: schema)?.links.allSatisfy { try exists($0) } ?? false
  }

  /// Returns an empty buffer for rows of values. A nested read gets its own buffer.
  package func takeValues() -> FieldBuffer {
    defer { spareValues = nil }
    return spareValues ?? FieldBuffer()
  }

  /// Keeps a buffer for the next read.
  package func keep(_ values: FieldBuffer) {
    values.removeAll()
    spareValues = values
  }

  /// Returns the statement for SQL of a user from a cache.
  ///
  /// - Throws: ``SQLiteError``, also for SQL that writes directly to the library's own tables, ends
  ///   a transaction or changes the connection.
  package func cachedStatement(ofUser sql: String) throws(SQLiteError) -> SQLiteStatement {
    let statement = try connection.cachedStatement(sql, guarding: LibraryTables.names)
    try checkReadsNoOutdatedIndex(statement)
    return statement
  }

  /// Refuses a statement that reads an index with the order of another system.
  func checkReadsNoOutdatedIndex(_ statement: SQLiteStatement) throws(SQLiteError) {
    try withoutRecording { () throws(SQLiteError) in
      try Catalogue(connection: connection).checkReadsNoOutdatedIndex(statement)
    }
  }

  /// Returns a statement for SQL of a user that begins with EXPLAIN. The statement is not cached,
  /// because SQLite does not recompile an EXPLAIN after a schema change.
  package func explanation(ofUser sql: String) throws(SQLiteError) -> SQLiteStatement {
    // A connection detects schema changes of other connections only when it reads.
    try withoutRecording { () throws(SQLiteError) in
      let statement = try connection.cachedStatement("SELECT 1 FROM sqlite_master")
      defer { statement.reset() }
      _ = try statement.step()
    }
    return try connection.prepare(sql, guarding: LibraryTables.names)
  }

  /// Removes the statements of a table that was created in a transaction that was rolled back.
  func forget(_ schema: ObjectSchema) {
    searchIndexes.noteSchemaChange()
    owners.remove(schema)
    queries.removeAll()
    if schema.ordinal < types.count { types[schema.ordinal] = nil }
  }

  /// Removes the statements of all types if another connection has changed the schema. That
  /// connection may have migrated tables to later versions of their types, which this program does
  /// not have.
  package func discardStatementsIfSchemaChanged() {
    searchIndexes.noteSchemaChange()
    mayReplaceRows = nil
    guard !types.isEmpty else { return }
    let known = knownSchemaVersion
    recordSchemaVersion()
    guard known != knownSchemaVersion else { return }
    types.removeAll()
    queries.removeAll()
  }

  /// Records that the statements are valid for the current schema.
  func recordSchemaVersion() {
    knownSchemaVersion = try? connection.integer("PRAGMA schema_version")
  }

  package func close() {
    // A forked child process does not own what is open on the file.
    guard !lifecycle.isForked else { return }
    types.removeAll()
    queries.removeAll()
    hook?.close()
    if !isClosed { cache?.willClose() }
    isClosed = true
    connection.close()
  }

  func keep(_ statements: TypeStatements) {
    searchIndexes.noteSchemaChange()
    queries.removeAll()
    owners.enter(statements.schema)
    rowIDs.enter(statements.schema)
    while types.count <= statements.schema.ordinal { types.append(nil) }
    types[statements.schema.ordinal] = statements
  }

  private func findTable(of schema: ObjectSchema) throws -> TableState {
    try owners.check(schema)
    _ = try schema.reach
    let catalogue = Catalogue(connection: connection)
    let statements: TypeStatements
    if try catalogue.isCurrent(schema),
      try !catalogue.hasTargetToMove(schema)
    {
      if isWriting { try catalogue.updateProperties(of: schema) }
      statements = try TypeStatements(schema: schema, connection: connection)
    } else {
      guard try catalogue.hasTable(of: schema) else {
        // A file that another program has truncated has no tables.
        guard !connection.isFileMoved else { throw MagicError.fileMoved() }
        owners.enter(schema)
        return .missing
      }
      guard owners.isReadOnly else { return .outdated }
      statements = try migrator.readOnlyStatements(of: schema, on: connection)
    }
    keep(statements)
    return .current(statements)
  }
}
