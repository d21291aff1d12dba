package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import PostgreSQLFiles
import PostgreSQLQueries
import PostgreSQLSearch
import PostgreSQLTables

/// A write transaction, or a part of one that several writes share.
package final class PostgreSQLTransaction: EngineTransaction {
  let session: EngineSession
  package let changeset = Changeset()
  package var participant: (any TransactionParticipant)?
  /// The changes that observers want to know.
  let scope: RecordingScope
  /// The folded names of the tables that the transaction has written.
  private(set) var writtenTables: Set<String> = []
  private let mode: WriteMode
  /// Whether the call runs again in a transaction of its own if the transaction fails. Then the results
  /// of its statements may be checked at the end.
  let isShared: Bool
  /// The error after which the call runs again: a conflict with another transaction, or a table that
  /// must be created or migrated first. The transaction is rolled back even if its body has caught it.
  private(set) var restart: (any Error)?
  /// Whether rows were written whose references were not checked yet.
  @exclusivity(unchecked) var hasUncheckedReferences = false
  /// The row IDs and primaries that the transaction assigns, by the numbers of the tables.
  @exclusivity(unchecked) var counters: [Int: Counter] = [:]
  /// The insertion that the server runs while the caller captures other rows.
  @exclusivity(unchecked) var started: StartedInsertion?
  /// The error that ended the transaction, because it could not be rolled back in part.
  private var failure: (any Error)?
  private var cachedReader: PostgreSQLReader?
  private var cachedRelationships: [Relationship]?

  init(_ session: EngineSession, _ mode: WriteMode, isShared: Bool) {
    self.session = session
    self.mode = mode
    self.isShared = isShared
    let (filter, generation) = session.context.feed.recordingFilter()
    scope = RecordingScope(
      generation: generation, filter: filter.isEmpty ? nil : RecordingScope.Shared(filter))
  }

  private var context: EngineContext { session.context }

  package var token: StoreToken { context.token }

  package func makeLease() -> StoreLease? { context.makeLease() }

  package var reader: any EngineReader {
    if let cachedReader { return cachedReader }
    let reader = PostgreSQLReader(session, isWriting: true)
    cachedReader = reader
    return reader
  }

  func note(written table: String) { writtenTables.insert(table.folded) }

  // MARK: Ends

  /// Runs a part of the transaction. The server refuses all statements after an error, up to the
  /// rollback to a savepoint; so each part has one.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try requireOpen()
    // The server would refuse the savepoint, with the statement that it is sent with.
    guard session.connection.transactionState != .failed else { throw transactionOver }
    let name = try session.beginSavepoint()
    let (countersBefore, uncheckedBefore) = (counters, hasUncheckedReferences)
    let assetsBefore = session.assets.count
    do {
      let result = try body()
      try complete()
      // Another task must not get the errors of this part.
      if isShared { try translatingErrors { try session.connection.finishDeferred() } }
      session.endSavepoint(name)
      return result
    } catch {
      note(restart: error)
      discardStarted()
      do {
        try session.restore(name)
      } catch let rollback {
        failure = failure ?? error
        // Without the savepoint, the begin of the transaction has failed, which is the error.
        let state = ((rollback as? MagicError)?.cause as? PostgreSQLError)?.sqlState
        throw state == "3B001" ? error : rollback
      }
      session.forgetTables()
      session.assets.discard(after: assetsBefore)
      cachedRelationships = nil
      hasUncheckedReferences = uncheckedBefore
      counters = countersBefore
      throw error
    }
  }

  /// Records an error after which the call runs again.
  private func note(restart error: any Error) {
    let state = ((error as? MagicError)?.cause as? PostgreSQLError)?.sqlState
    let isRestart =
      switch mode {
      case .concurrent: state == "40001" || state == "40P01" || error is MigrationRequired
      case .exclusive, .exclusiveSnapshot, .migration: false
      }
    if isRestart { restart = restart ?? error }
  }

  package func requireOpen() throws {
    if let restart { throw restart }
    let state = session.connection.transactionState
    guard failure != nil || state == .lost || state == .none else { return }
    throw transactionOver
  }

  private var transactionOver: MagicError {
    MagicError(
      .transactionOver,
      "An error has ended the transaction, and it was rolled back. Start a new one.",
      cause: failure)
  }

  /// The commit, if it is published to observers as a commit of this database.
  private(set) var published: (any PublishedCommit)?
  /// The SQL that identifies the commit for observers, to run before the commit; nil if it has run.
  private(set) var publication: String?

  /// Ends the part. Another part follows, or the commit after the last one.
  func finish(isLast: Bool) throws {
    try requireOpen()
    try complete()
    try storeCounters()
    let altered = session.alteredTables
    session.alteredTables = []
    guard !writtenTables.isEmpty || !altered.isEmpty, let publisher = context.publisher else {
      return
    }
    let (sql, commit) = try translatingErrors {
      try publisher.willCommit(altered: altered, on: session.connection)
    }
    published = commit
    guard !sql.isEmpty else { return }
    if isLast { publication = sql } else { try execute(sql) }
  }

  /// Runs SQL without parameters.
  func execute(_ sql: String) throws {
    _ = try translatingErrors { try session.connection.execute(sql) }
  }

  // MARK: Tables

  /// Returns the statements of a type.
  ///
  /// - Throws: `MagicError` with `.notFound` if the type has no table.
  func statements(of schema: ObjectSchema) throws -> TypeStatements {
    guard let statements = try session.statements(of: schema) else {
      throw MagicError(.notFound, "The type has no table.", type: schema.typeName)
    }
    return statements
  }

  package func hasCurrentTable(of schema: ObjectSchema) throws -> Bool {
    do {
      return try session.statements(of: schema) != nil
    } catch is MigrationRequired {
      return false
    }
  }

  /// A concurrent transaction requires that the table is migrated by another transaction, because its
  /// snapshot may not contain what other processes have created.
  package func updateTable(of schema: ObjectSchema) throws {
    if try hasCurrentTable(of: schema), !session.search.missing.contains(schema.ordinal) { return }
    guard mode != .concurrent else {
      let required = MigrationRequired(schema)
      note(restart: required)
      throw required
    }
    try TableUpdate(session: session).update(schema)
    cachedRelationships = nil
  }

  /// Creates the search indexes of types that do not exist, and updates the others with the rows that
  /// other programs have changed. No other transaction writes.
  func updateSearchIndexes(of schemas: [ObjectSchema]) throws {
    for schema in schemas where schema.search != nil {
      guard try session.statements(of: schema) != nil else { continue }
      if try session.search.hasIndex(of: schema) {
        try session.search.updateLogged(schema)
      } else {
        try TableUpdate(session: session).update(schema)
      }
    }
  }

  /// The relationships of all tables.
  func relationships() throws -> [Relationship] {
    if let cachedRelationships { return cachedRelationships }
    session.fields.removeAll()
    let result = try session.run(Catalogue.selectRelationships)
    let relationships = (0..<result.count).map { Relationship(result, $0) }
    cachedRelationships = relationships
    if result.count != session.relationshipCount {
      // Another process has created tables.
      session.relationshipCount = result.count
      session.knownForeignKeys = nil
    }
    return relationships
  }

  // MARK: Rows

  package func rowID(
    with columns: [Int], at field: Int, in values: FieldBuffer, _ schema: ObjectSchema
  ) throws -> Int64? {
    guard let statements = try session.statements(of: schema) else { return nil }
    session.fields.removeAll()
    for (place, column) in columns.enumerated() {
      try session.encode(values[field + place], of: values, column, statements)
    }
    let conditions = columns.enumerated().map { place, column in
      let column = schema.columns[column]
      let key = MagicCollation.indexed(column.name.quoted, column.collation)
      return "\(key) = \(MagicCollation.indexed("$\(place + 1)", column.collation))"
    }
    let statement = statements.statement(
      "SELECT \"z_index\" FROM \(statements.table) WHERE \(conditions.joined(separator: " AND "))",
      columns.map { statements.types[$0] })
    let result = try session.run(statement, schema)
    return result.count > 0 ? result.integer(0, 0) : nil
  }

  /// A part of a shared transaction sends statements without waiting for their results.
  package var lookUpLimit: Int { isShared ? 1 : 2_048 }

  package var hasUserTriggers: Bool { session.hasUserTriggers }

  package func versions(
    ofRows rowIDs: [Int64], of schema: ObjectSchema
  ) throws -> [Int64: Int] {
    guard !rowIDs.isEmpty else { return [:] }
    let versions = try storedVersions(of: rowIDs, statements(of: schema))
    return versions.mapValues { Int($0) }
  }

  package func rowIDs(
    with columns: [Int], at field: Int, count: Int, in values: FieldBuffer,
    _ schema: ObjectSchema
  ) throws -> [Int64?] {
    var rowIDs = [Int64?](repeating: nil, count: count)
    guard let statements = try session.statements(of: schema) else { return rowIDs }
    session.fields.removeAll()
    for (place, column) in columns.enumerated() {
      session.fields.beginArray(of: statements.types[column], count: count)
      for row in 0..<count {
        let value = values[field + row * columns.count + place]
        try session.encode(value, of: values, column, statements)
      }
      session.fields.endArray()
    }
    let result = try session.run(statements.rowIDs(with: columns), schema)
    for row in 0..<result.count { rowIDs[Int(result.integer(row, 1)) - 1] = result.integer(row, 0) }
    return rowIDs
  }

  package func hasRow(_ rowID: Int64, of schema: ObjectSchema) throws -> Bool {
    guard let statements = try session.statements(of: schema) else { return false }
    session.fields.removeAll()
    session.fields.append(integer: rowID)
    return try session.run(statements.statement(.hasRow), schema).count > 0
  }

  /// Whether a foreign key is violated. The check runs in a savepoint, because a violation ends the
  /// transaction.
  package var hasBrokenReferences: Bool {
    guard hasUncheckedReferences else { return false }
    let connection = session.connection
    do {
      if let check = try session.sql(checkingForeignKeys: .now) {
        try connection.execute("SAVEPOINT magic_check; \(check); RELEASE magic_check")
      }
      hasUncheckedReferences = false
      return false
    } catch {
      guard error.sqlState == "23503",
        (try? connection.restore("magic_check")) != nil
      else {
        let cause = MagicError(error)
        note(restart: cause)
        failure = failure ?? cause
        session.knownForeignKeys = nil
        return false
      }
      return true
    }
  }
}
