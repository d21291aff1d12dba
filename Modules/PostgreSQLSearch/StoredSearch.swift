package import MagicPostgreSQL
import MagicSQLite
import MagicSchema
import PostgreSQLTables

/// A search index as the database has it, whether or not its type is declared.
package struct StoredSearch {
  /// The name of the type's table.
  package let table: String
  private let definition: String
  private var names: SearchNames { SearchNames(table: table) }

  /// Returns all indexes, ordered by the names of the tables.
  package static func all(on connection: PostgreSQLConnection) throws -> [StoredSearch] {
    let exists = try translatingErrors {
      try connection.execute("SELECT to_regclass('\(SearchNames.indexes)') IS NOT NULL")
    }
    guard exists.text(0, 0) == "t" else { return [] }
    let all = try translatingErrors {
      try connection.execute("SELECT table_name, definition FROM \(SearchNames.indexes) ORDER BY 1")
    }
    return (0..<all.count).map {
      StoredSearch(table: all.text($0, 0), definition: all.text($0, 1))
    }
  }

  /// A fault of an index.
  package enum Fault {
    /// The index does not have the texts of the row.
    case wrongRow(Int64)
    /// The numbers of rows and words, with which scores are computed, are not those of the index.
    case wrongTotals
    /// The trigger does not exist, or is disabled.
    case missingTrigger(String)
    /// The tables of the index do not exist, or have columns of another version of the library.
    case unreadable
    /// The SQLite of the process lacks full-text search or the tokenizer, so that the index was not
    /// checked. The text says what is missing.
    case unsupported(String)
  }

  /// Compares the index with the rows, but for those that are still to be indexed.
  ///
  /// - Parameter body: called with each fault; returns whether to continue.
  package func forEachFault(
    on connection: PostgreSQLConnection, _ body: (Fault) throws -> Bool
  ) throws {
    let columns = try translatingErrors {
      try connection.execute(
        """
        SELECT attname, atttypid = 'uuid'::regtype FROM pg_attribute \
        WHERE attrelid = to_regclass(\(table.quoted.literal)) AND attnum > 0 AND NOT attisdropped
        """)
    }
    // The table was dropped, and with it the triggers.
    guard columns.count > 0 else { return }
    for trigger in try missingTriggers(on: connection) {
      guard try body(.missingTrigger(trigger)) else { return }
    }
    let types = Dictionary(
      uniqueKeysWithValues: (0..<columns.count).map { (columns.text($0, 0), columns.text($0, 1)) })
    guard let layout = SearchLayout(definition),
      layout.columns.allSatisfy({ types[$0.name] != nil }),
      try isReadable(on: connection)
    else {
      _ = try body(.unreadable)
      return
    }
    let texts: SearchTexts
    do {
      texts = try SearchTexts(layout, identifiers: Set(types.filter { $0.value == "t" }.keys))
    } catch {
      _ = try body(.unsupported(error.message))
      return
    }
    let index = SearchIndex(names, texts, nil)
    var hasWrongRows = false
    try index.forEachWrongRow(on: connection) { row in
      hasWrongRows = true
      return try body(.wrongRow(row))
    }
    guard try !hasWrongRows && !index.hasCorrectTotals(on: connection) else { return }
    _ = try body(.wrongTotals)
  }

  private func missingTriggers(on connection: PostgreSQLConnection) throws -> [String] {
    let found = try translatingErrors {
      try connection.execute(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(\(table.quoted.literal)) "
          + "AND tgenabled <> 'D'")
    }
    let existing = Set((0..<found.count).map { found.text($0, 0) })
    return names.changeTriggers.filter { !existing.contains($0) }
  }

  /// Whether the tables have the columns that the comparison reads.
  private func isReadable(on connection: PostgreSQLConnection) throws -> Bool {
    let count = try translatingErrors {
      try connection.execute(
        """
        SELECT count(*) FROM (VALUES (to_regclass(\(names.words.literal)), 'word', 'bytea'::regtype), \
        (to_regclass(\(names.words.literal)), 'z_index', 'bigint'), \
        (to_regclass(\(names.words.literal)), 'places', 'bigint[]'), \
        (to_regclass(\(names.rows.literal)), 'z_index', 'bigint'), \
        (to_regclass(\(names.rows.literal)), 'size', 'bigint'), \
        (to_regclass(\(names.totals.literal)), 'rows', 'bigint'), \
        (to_regclass(\(names.totals.literal)), 'words', 'bigint'), \
        (to_regclass('\(SearchNames.log)'), 'table_name', 'text'), \
        (to_regclass('\(SearchNames.log)'), 'z_index', 'bigint')) AS c (relation, name, type) \
        JOIN pg_attribute AS a ON a.attrelid = c.relation AND a.attname = c.name \
        AND a.atttypid = c.type
        """)
    }
    return count.text(0, 0) == "9"
  }

  /// The SQL that drops the index, of which parts may be missing.
  package var drop: [String] { SearchDefinition.createShared + names.drop(ofTable: table) }
}
