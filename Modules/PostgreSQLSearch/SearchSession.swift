package import MagicPostgreSQL
import MagicRequests
package import MagicSchema
import PostgreSQLTables

/// What a connection knows about search indexes, and what it does with them. Used by the thread that uses
/// the connection.
package final class SearchSession {
  private let connection: PostgreSQLConnection
  /// The indexes of types, by the ordinals of the types.
  @exclusivity(unchecked) private var indexes: [Int: TypeIndex] = [:]
  /// The ordinals of the types whose index is known to exist.
  @exclusivity(unchecked) private var existing: Set<Int> = []
  /// The ordinals of the types whose index does not exist, although a search needs it.
  @exclusivity(unchecked) package private(set) var missing: Set<Int> = []
  @exclusivity(unchecked) private var ownLog = OwnLog.unknown

  private struct TypeIndex {
    let definition: SearchDefinition
    let entries: SearchIndex
  }

  /// The temporary table of changed rows.
  private enum OwnLog {
    case unknown
    /// The open transaction, or a part of it, has created it.
    case created
    case lasting
    /// It is not used: the database has no index, or the user must not create temporary tables. Then
    /// changed rows are noted in the table that all programs share.
    case unused
  }

  package init(_ connection: PostgreSQLConnection) { self.connection = connection }

  /// Whether the triggers note the rows that the session changes in its own table.
  private var hasOwnLog: Bool { ownLog == .created || ownLog == .lasting }

  package func didCommit() { if ownLog == .created { ownLog = .lasting } }

  /// Called after the rollback of the transaction or a part of it.
  package func didRollBack() { if ownLog == .created { ownLog = .unknown } }

  /// Forgets what other processes, or a change of tables, may have changed.
  package func forget() {
    existing.removeAll()
    missing.removeAll()
    if ownLog == .unused { ownLog = .unknown }
  }

  // MARK: Indexes

  private func index(of schema: ObjectSchema) throws -> TypeIndex {
    if let known = indexes[schema.ordinal] { return known }
    guard let definition = SearchDefinition(schema) else {
      throw MagicError.nothingSearchable(schema)
    }
    let entries = SearchIndex(definition.names, try SearchTexts(definition), schema)
    let index = TypeIndex(definition: definition, entries: entries)
    indexes[schema.ordinal] = index
    return index
  }

  /// Returns whether the database has the index of a type.
  package func hasIndex(of schema: ObjectSchema) throws -> Bool {
    if existing.contains(schema.ordinal) { return true }
    let names = SearchNames(table: schema.tableName)
    guard try names.definition(on: connection) != nil else { return false }
    existing.insert(schema.ordinal)
    return true
  }

  /// Notes that a search needs an index that does not exist.
  package func note(missing schema: ObjectSchema) { missing.insert(schema.ordinal) }

  /// Creates the index of a type with the entries of all rows. No other transaction writes.
  ///
  /// - Parameter progress: called with the number of rows after each batch.
  package func create(for schema: ObjectSchema, progress: (Int) -> Void = { _ in }) throws {
    let index = try index(of: schema)
    // Parts of an index may be left, for example if its tables were dropped.
    let drop = index.definition.names.drop(ofTable: schema.tableName)
    for sql in SearchDefinition.createShared + drop + index.definition.createIndex {
      try execute(sql, schema)
    }
    try index.entries.fill(on: connection, progress: progress)
    // The entries have the rows that the transaction has changed before.
    if hasOwnLog { try execute(SearchIndex.clearOwnLog(ofTable: schema.tableName), schema) }
    missing.remove(schema.ordinal)
    if ownLog == .unused { ownLog = .unknown }
  }

  /// Drops the index of a type.
  package func drop(for schema: ObjectSchema) throws {
    let name = schema.tableName
    for sql in SearchNames(table: name).drop(ofTable: name) { try execute(sql, schema) }
    existing.remove(schema.ordinal)
  }

  private func execute(_ sql: String, _ schema: ObjectSchema) throws {
    do {
      try connection.execute(sql)
    } catch {
      throw MagicError(error, schema: schema)
    }
  }

  // MARK: Changed rows

  /// Lets the triggers note the rows that the open transaction changes in a table of the session.
  package func prepareWriting(of schema: ObjectSchema) throws {
    guard ownLog == .unknown, schema.search != nil else { return }
    do {
      let result = try connection.execute(
        "SAVEPOINT magic_log; \(SearchIndex.createOwnLog); RELEASE magic_log; "
          + "SELECT to_regclass('\(SearchNames.log)') IS NOT NULL")
      ownLog = result.text(0, 0) == "t" ? .created : .unused
    } catch {
      // A user may lack the right to create temporary tables.
      guard error.sqlState == "42501" else { throw MagicError(error, schema: schema) }
      try translatingErrors(schema) { try connection.restore("magic_log") }
      ownLog = .unused
    }
  }

  /// Updates the index of a type with the rows that the transaction has changed.
  package func updateOwn(_ schema: ObjectSchema) throws {
    guard hasOwnLog else { return }
    try index(of: schema).entries.updateOwn(on: connection)
  }

  /// Updates the index of a type with the rows that other programs have changed.
  package func updateLogged(_ schema: ObjectSchema) throws {
    try index(of: schema).entries.updateLogged(on: connection)
  }

  /// The SQL before a commit. It keeps the changed rows of types that the session has not indexed, so that
  /// the next search indexes them.
  package var sqlKeepingChangedRows: String? {
    hasOwnLog
      ? "INSERT INTO \(SearchNames.log) SELECT * FROM pg_temp.\(SearchNames.ownLog)" : nil
  }

  /// The SQL that adds up the totals of indexes to which the session has often written; nil for none. It
  /// runs after a commit.
  package func sqlAddingUpTotals() -> String? {
    let statements = indexes.values.compactMap { $0.entries.sqlAddingUpTotals() }
    return statements.isEmpty ? nil : statements.joined(separator: "; ")
  }

  // MARK: Searches

  /// Returns the SQL of a search in a type.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` for a text that is not in the syntax of searches.
  package func sql(ofSearch text: String, in schema: ObjectSchema, isScored: Bool) throws -> String
  {
    let index = try index(of: schema)
    let columns = index.definition.search.columns
    do {
      let node = try SearchParser.parse(
        text, columnCount: columns.count, words: index.entries.texts.words)
      return SearchWriter.sql(
        node, index.definition.names, weights: columns.map(\.weight), isScored: isScored)
    } catch {
      throw MagicError(
        .invalidQuery, "The text of the search is not in the syntax of searches.",
        type: schema.typeName, cause: error)
    }
  }
}
