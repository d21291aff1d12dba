import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteSearch

extension StoreConnection {
  /// Runs a query that searches, with search indexes that contain all rows.
  ///
  /// - Throws: ``MigrationRequired`` if another program has changed rows: the next commit updates the
  ///   index.
  func searching<Result>(_ query: PreparedQuery, _ body: () throws -> Result) throws -> Result {
    for type in query.shape.searched {
      guard let schema = ObjectSchema.numbered(type), try statements(of: schema) != nil
      else { continue }
      guard let isOutdated = try searchIndexes.isOutdated(schema) else {
        throw missingIndex(of: schema)
      }
      guard isOutdated else { continue }
      if isWriting {
        try searchIndexes.update(of: [schema])
      } else if isReadOnly {
        throw MagicError(
          .readOnly,
          "Another program has changed rows that are not in the search index yet. Open the database "
            + "for writing once.", type: schema.typeName)
      } else {
        throw MigrationRequired(schema)
      }
    }
    do {
      return try body()
    } catch let error as SQLiteError where error.code == .error && !error.isUnrelatedToSearch {
      // The message of SQLite contains a part of the text.
      throw MagicError(
        .invalidQuery, "The text of the search is not in the syntax of searches.",
        type: query.schema.typeName, cause: error)
    }
  }

  /// The error for a type whose table is current and has no index, or whose table cannot be migrated.
  private func missingIndex(of schema: ObjectSchema) -> MagicError {
    let reason = "The database has no search index of the type"
    return isReadOnly
      ? MagicError(
        .needsMigration, "\(reason). Open the database for writing to create it.",
        type: schema.typeName)
      : MagicError(
        .corrupt, "\(reason): another program has dropped it. repair() creates it.",
        type: schema.typeName)
  }
}

extension SQLiteError {
  /// Whether the message is one that no text of a search causes.
  fileprivate var isUnrelatedToSearch: Bool {
    [
      "integer overflow", "LIKE or GLOB pattern too complex", "unable to use function",
      "no such module", "no such function", "no such tokenizer",
    ].contains { message.hasPrefix($0) }
  }
}
