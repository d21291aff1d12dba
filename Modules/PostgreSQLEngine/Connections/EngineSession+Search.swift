import MagicEngine
import MagicPostgreSQL
import MagicRequests
import MagicSchema
import PostgreSQLQueries
import PostgreSQLSearch
import PostgreSQLTables

/// Other programs have changed rows that are not in search indexes yet. The call updates them, and runs
/// again.
struct OutdatedSearchIndexes: RestartRequired {
  let schemas: [ObjectSchema]
}

/// Queries that search.
extension EngineSession {
  /// Prepares the indexes that a query searches. Those of a write transaction get its changes.
  ///
  /// - Throws: ``MigrationRequired`` if an index does not exist; `MagicError` with `.needsMigration` if it
  ///   cannot be created either.
  func prepareSearches(_ query: PreparedQuery, isWriting: Bool) throws {
    for schema in query.searchedTypes where schema.search != nil {
      guard try statements(of: schema) != nil else { continue }
      guard try search.hasIndex(of: schema) else {
        guard migrator != nil, !context.isReadOnly else {
          throw MagicError(
            .needsMigration,
            "The database has no search index of the type. Open the database for writing to create it.",
            type: schema.typeName)
        }
        search.note(missing: schema)
        throw MigrationRequired(schema)
      }
      guard isWriting else { continue }
      try search.updateOwn(schema)
      try search.updateLogged(schema)
    }
  }

  /// Updates the indexes of tables with the rows that the transaction has changed. Called before the
  /// commit.
  func updateSearchIndexes(of tables: Set<String>) throws {
    for table in tables {
      guard let schema = context.owners.type(of: table), schema.search != nil else { continue }
      try search.updateOwn(schema)
    }
  }

  /// Returns the error of a query. If it has found changed rows that an index lacks, the index is updated,
  /// and the query runs again.
  func error(ofSearch query: PreparedQuery, _ error: any Error) -> any Error {
    guard let cause = (error as? MagicError)?.cause as? PostgreSQLError,
      cause.sqlState == Functions.outdatedIndexState
    else { return error }
    guard context.isReadOnly else { return OutdatedSearchIndexes(schemas: query.searchedTypes) }
    return MagicError(
      .readOnly,
      "Another program has changed rows that are not in the search index yet. Open the database "
        + "for writing once.", type: query.searchedTypes.first?.typeName)
  }
}

extension PreparedQuery {
  /// The types that the query searches.
  fileprivate var searchedTypes: [ObjectSchema] {
    shape.searched.compactMap(ObjectSchema.numbered)
  }
}
