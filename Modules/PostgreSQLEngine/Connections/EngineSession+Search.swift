import MagicEngine
import MagicPostgreSQL
import MagicRequests
package import MagicSchema
import PostgreSQLQueries
import PostgreSQLSearch
import PostgreSQLTables

/// What a session knows about the search indexes.
struct SessionSearch {
  /// The indexes of types, by the ordinals of the types.
  fileprivate var indexes: [Int: SearchIndex] = [:]
  /// The ordinals of the types whose index is known to exist.
  fileprivate var existing: Set<Int> = []
  /// The ordinals of the types whose index does not exist, although a search needs it.
  fileprivate(set) var missing: Set<Int> = []
  /// Whether the temporary table of changed rows exists.
  fileprivate var ownLog = OwnLog.unknown

  fileprivate enum OwnLog {
    case unknown
    /// The open transaction, or a part of it, has created it.
    case created
    case lasting
    /// It is not used: the database has no index, or the user must not create temporary tables. Then
    /// changed rows are noted in the table that all programs share.
    case unused
  }

  /// Whether the triggers note the rows that the session changes in its own table.
  var hasOwnLog: Bool { ownLog == .created || ownLog == .lasting }

  mutating func didCommit() { if ownLog == .created { ownLog = .lasting } }

  mutating func didRollBack() { if ownLog == .created { ownLog = .unknown } }

  /// Forgets what other processes, or a change of tables, may have changed.
  mutating func forget() {
    existing.removeAll()
    missing.removeAll()
    if ownLog == .unused { ownLog = .unknown }
  }
}

/// Search indexes.
extension EngineSession {
  /// Returns the index of a type; nil if it has no searchable property.
  func searchIndex(of schema: ObjectSchema) throws -> SearchIndex? {
    if let known = search.indexes[schema.ordinal] { return known }
    guard let definition = SearchDefinition(schema) else { return nil }
    let index = try SearchIndex(definition)
    search.indexes[schema.ordinal] = index
    return index
  }

  /// Returns whether the database has the index of a type.
  func hasSearchIndex(of schema: ObjectSchema) throws -> Bool {
    if search.existing.contains(schema.ordinal) { return true }
    guard let definition = SearchDefinition(schema) else { return false }
    fields.removeAll()
    fields.append(text: definition.names.words.quoted)
    guard try run(SearchIndex.exists, schema).integer(0, 0) != 0 else { return false }
    search.existing.insert(schema.ordinal)
    return true
  }

  /// Creates the index of a type with the entries of all rows.
  ///
  /// - Parameter progress: called with the number of rows after each batch.
  package func createSearchIndex(
    of schema: ObjectSchema, progress: (Int) -> Void = { _ in }
  ) throws {
    guard let definition = SearchDefinition(schema), let index = try searchIndex(of: schema) else {
      return
    }
    for sql in definition.create {
      _ = try translatingErrors(schema) { try connection.execute(sql) }
    }
    try index.fill(on: connection, progress: progress)
    try forgetChangedRows(of: schema)
    search.missing.remove(schema.ordinal)
    if search.ownLog == .unused { search.ownLog = .unknown }
  }

  /// Drops the index of a type.
  package func dropSearchIndex(of schema: ObjectSchema) throws {
    let name = schema.tableName
    for sql in SearchNames(table: name).drop(ofTable: name) {
      _ = try translatingErrors(schema) { try connection.execute(sql) }
    }
    search.existing.remove(schema.ordinal)
  }

  /// The transaction has built the index of a type, with the rows that it has changed before.
  private func forgetChangedRows(of schema: ObjectSchema) throws {
    guard search.hasOwnLog else { return }
    _ = try translatingErrors(schema) {
      try connection.execute(SearchIndex.clearOwnLog(ofTable: schema.tableName))
    }
  }

  // MARK: Changed rows

  /// Lets the triggers note the rows of a type that the transaction changes in a table of the session.
  func prepareWriting(of schema: ObjectSchema) throws {
    guard isWriting, search.ownLog == .unknown, schema.search != nil else { return }
    do {
      // A user may lack the right to create temporary tables.
      let result = try connection.execute(
        "SAVEPOINT magic_log; \(SearchIndex.createOwnLog); RELEASE magic_log; "
          + "SELECT to_regclass('\(SearchNames.log)') IS NOT NULL")
      search.ownLog = result.text(0, 0) == "t" ? .created : .unused
    } catch {
      guard error.sqlState == "42501" else { throw MagicError(error, schema: schema) }
      _ = try translatingErrors(schema) {
        try connection.execute("ROLLBACK TO magic_log; RELEASE magic_log")
      }
      search.ownLog = .unused
    }
  }

  /// Updates the indexes with the rows that the transaction has changed. Called before the commit.
  ///
  /// - Parameter tables: the folded names of the tables that were written.
  func updateSearchIndexes(of tables: Set<String>) throws {
    guard search.hasOwnLog else { return }
    for table in tables {
      guard let schema = context.owners.type(of: table), schema.search != nil else { continue }
      try searchIndex(of: schema)?.updateOwn(on: connection)
    }
  }

  /// The SQL before a commit. It keeps the changed rows of types that the session has not indexed, so that
  /// the next search indexes them.
  var sqlKeepingChangedRows: String? {
    search.hasOwnLog
      ? "INSERT INTO \(SearchNames.log) SELECT * FROM pg_temp.\(SearchNames.ownLog)" : nil
  }

  // MARK: Searches

  /// Prepares the indexes that a query searches.
  ///
  /// - Throws: ``MigrationRequired`` if an index does not exist; `MagicError` with `.needsMigration` if it
  ///   cannot be created either.
  func prepareSearches(_ query: PreparedQuery, isWriting: Bool) throws {
    for type in query.shape.searched {
      guard let schema = ObjectSchema.numbered(type), try statements(of: schema) != nil,
        let index = try searchIndex(of: schema)
      else { continue }
      guard try hasSearchIndex(of: schema) else {
        guard migrator != nil, !context.isReadOnly else {
          throw MagicError(
            .needsMigration,
            "The database has no search index of the type. Open the database for writing to create it.",
            type: schema.typeName)
        }
        search.missing.insert(schema.ordinal)
        throw MigrationRequired(schema)
      }
      guard isWriting else { continue }
      if search.hasOwnLog { try index.updateOwn(on: connection) }
      try index.updateLogged(on: connection)
    }
  }

  /// Returns the SQL of a search in a type, which is given by its ordinal.
  func sql(ofSearch text: String, in type: Int, isScored: Bool) throws -> String {
    guard let schema = ObjectSchema.numbered(type), let index = try searchIndex(of: schema) else {
      throw MagicError.malformedQuery
    }
    return try index.sql(of: text, isScored: isScored)
  }

  /// Returns the error of a query that found rows in the log of an index: the index is updated, and the
  /// query runs again.
  func error(ofSearch query: PreparedQuery, _ error: any Error) -> any Error {
    guard let cause = (error as? MagicError)?.cause as? PostgreSQLError,
      cause.sqlState == Functions.outdatedIndexState,
      let schema = query.shape.searched.lazy.compactMap(ObjectSchema.numbered).first
    else { return error }
    guard !context.isReadOnly else {
      return MagicError(
        .readOnly,
        "Another program has changed rows that are not in the search index yet. Open the database "
          + "for writing once.", type: schema.typeName)
    }
    return OutdatedSearchIndexes(schemas: query.shape.searched.compactMap(ObjectSchema.numbered))
  }
}

/// Other programs have changed rows that are not in search indexes yet. The call updates them, and runs
/// again.
struct OutdatedSearchIndexes: Error {
  let schemas: [ObjectSchema]
}
