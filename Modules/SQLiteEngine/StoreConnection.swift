package import MagicEngine
package import MagicSQLite
package import MagicSchema
package import SQLiteFiles
import SQLiteTables

/// One connection of a store, with the statements of every type it has met.
package final class StoreConnection {
  package let connection: SQLiteConnection
  private let context: StoreContext
  // These are stored here as well: other modules read them in each transaction.
  package let token: StoreToken
  package let files: StoreFiles
  /// Whether the running call may go on.
  package let lifecycle: StoreLifecycle
  package let arena = ParameterArena()
  /// The values that a fetch is given; empty between fetches.
  package let parameters = FieldBuffer()
  /// What saves on this connection capture; empty between them.
  package let changeset = Changeset()
  /// Of the connection that writes, what follows its transactions.
  package let hook: (any CommitHook)?
  /// Digests what is read, for a caller that compares it with what was read before.
  @exclusivity(unchecked) package var digest: ResultDigest?
  /// Records what is read, for a caller that wants to know what a body has looked at.
  @exclusivity(unchecked) var recorder: ReadRecorder?
  /// What the snapshot that is open on this connection keeps of the log.
  @exclusivity(unchecked) package var pin: SnapshotPin?
  @exclusivity(unchecked) package var rowIDs = RowIDSequences()
  /// The compiled statements of queries.
  @exclusivity(unchecked) var queries = QueryStatementCache()
  /// Memory for rows of values, while none are read.
  @exclusivity(unchecked) private var spareValues: FieldBuffer?
  @exclusivity(unchecked) private var types: [TypeStatements?] = []
  /// What the file's schema had for a number when the types were last known to have their tables.
  private var knownSchemaVersion: Int64?

  /// - Parameter hook: of the connection that writes, what follows its transactions.
  package init(
    _ connection: SQLiteConnection, in context: StoreContext, hook: (any CommitHook)? = nil
  ) {
    self.connection = connection
    self.context = context
    token = context.token
    files = context.files
    lifecycle = context.lifecycle
    self.hook = hook
  }

  deinit { close() }

  var owners: TableOwners { context.owners }
  package var snapshots: OpenSnapshots { context.snapshots }

  /// Detects slow queries; nil where they are not reported.
  package var diagnostics: Diagnostics? { context.diagnostics }

  /// A lease, which keeps the store open as long as it lives; nil where the store is closed.
  func makeLease() -> StoreLease? { context.leases.makeLease() }

  /// Whether this connection is the one that writes, and a transaction is under way on it.
  package var isWriting: Bool { writes && connection.isInTransaction }

  /// What migrates tables where a transaction has no plan of its own.
  var migrator: any StoreMigrator { context.migrator }

  /// The table of a type, with the statements for it.
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

  @inline(__always)
  private func knownTable(of schema: ObjectSchema) throws -> TableState {
    if schema.ordinal < types.count, let known = types[schema.ordinal] { return .current(known) }
    return try findTable(of: schema)
  }

  /// The type that a table is known to be of.
  package func type(ofTable table: String) -> ObjectSchema? { owners.owner(of: table) }

  /// Whether the tables of a type and of its links are in this file.
  ///
  /// - Throws: ``MigrationRequired`` where the table is outdated.
  package func hasAllTables(of schema: ObjectSchema) throws -> Bool {
    try statements(of: schema)?.links.allSatisfy(\.exists) ?? false
  }

  /// Empty memory for rows of values; a read inside of another one has its own.
  package func takeValues() -> FieldBuffer {
    defer { spareValues = nil }
    return spareValues ?? FieldBuffer()
  }

  /// Keeps memory for the next read.
  package func keep(_ values: FieldBuffer) {
    values.removeAll()
    spareValues = values
  }

  /// The statement for SQL that a user wrote, kept for the next time.
  ///
  /// - Throws: ``SQLiteError``, also for SQL that writes to the library's own tables by its own
  ///   words, or that ends a transaction or changes the connection.
  package func cachedStatement(ofUser sql: String) throws(SQLiteError) -> SQLiteStatement {
    try connection.cachedStatement(sql, guarding: LibraryTables.names)
  }

  /// A statement for SQL of a user's that begins with EXPLAIN. It is not kept: SQLite does not
  /// compile such a statement again where a table has changed.
  package func explanation(ofUser sql: String) throws(SQLiteError) -> SQLiteStatement {
    // By reading alone a connection hears of tables that another one has changed.
    try withoutRecording { () throws(SQLiteError) in
      let look = try connection.cachedStatement("SELECT 1 FROM sqlite_master")
      defer { look.reset() }
      _ = try look.step()
    }
    return try connection.prepare(sql, guarding: LibraryTables.names)
  }

  /// Forgets what was made in a transaction that was rolled back.
  func forget(_ schema: ObjectSchema) {
    owners.withdraw(schema)
    queries.removeAll()
    if schema.ordinal < types.count { types[schema.ordinal] = nil }
  }

  /// Forgets the statements of all types where another connection has changed tables: they may have been
  /// brought to later versions of their types, which this program does not know.
  package func lookForOtherShapes() {
    guard !types.isEmpty else { return }
    let known = knownSchemaVersion
    noteShapes()
    guard known != knownSchemaVersion else { return }
    types.removeAll()
    queries.removeAll()
  }

  /// The tables are as this connection knows them.
  func noteShapes() { knownSchemaVersion = try? connection.integer("PRAGMA schema_version") }

  package func close() {
    // Of what lies in the file, nothing is this process's.
    guard !lifecycle.isForked else { return }
    types.removeAll()
    queries.removeAll()
    hook?.close()
    connection.close()
  }

  func keep(_ statements: TypeStatements) {
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
    if try catalogue.entry(for: schema.tableName)?.fingerprint == schema.fingerprint {
      statements = try TypeStatements(schema: schema, connection: connection)
    } else {
      guard try catalogue.hasTable(of: schema) else {
        // A file that another program has emptied has no tables.
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
