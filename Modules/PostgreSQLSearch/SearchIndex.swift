package import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// The search index of a type on one connection.
///
/// The index is in tables, and its entries are written in the transaction that changes the rows. Triggers
/// note the changed rows, so that rows that raw SQL and other programs write are indexed too.
package final class SearchIndex {
  let definition: SearchDefinition
  private let texts: SearchTexts
  private let fields = PostgreSQLFields()
  private let takeOwn: PostgreSQLStatement
  private let takeLogged: PostgreSQLStatement
  private let selectBatch: PostgreSQLStatement
  private let write: PostgreSQLStatement

  /// - Throws: `MagicError` with `.unsupportedSQLite`.
  package init(_ definition: SearchDefinition) throws {
    self.definition = definition
    let texts = try SearchTexts(definition.search, of: definition.schema)
    self.texts = texts
    let (table, name) = (definition.schema.tableName.quoted, definition.schema.tableName.literal)
    let selected = texts.selected("t").joined(separator: ", ")
    // Each row is looked up by its row ID: a scan of the table would conflict with all transactions at
    // the level SERIALIZABLE that write to it.
    func take(_ log: String, _ event: String) -> PostgreSQLStatement {
      PostgreSQLStatement(
        """
        WITH k AS (SELECT DISTINCT z_index FROM \(log) WHERE table_name = \(name) AND z_index > $1 \
        ORDER BY z_index LIMIT \(Self.batchSize)), \
        l AS (DELETE FROM \(log) AS o USING k WHERE o.table_name = \(name) AND o.z_index = k.z_index \
        RETURNING o.z_index, o.event), \
        r AS (SELECT z_index, \(event) AS event FROM l GROUP BY z_index) \
        SELECT r.z_index, r.event::bigint, t.* FROM r LEFT JOIN LATERAL (SELECT true, \(selected) \
        FROM \(table) AS t WHERE t."z_index" = r.z_index OFFSET 0) AS t ON true ORDER BY r.z_index
        """, [.bigint])
    }
    takeOwn = take("pg_temp.\(SearchNames.ownLog)", "max(event)")
    // Other sessions may have indexed the row meanwhile.
    takeLogged = take(SearchNames.log, "\(SearchEvent.delete)")
    selectBatch = PostgreSQLStatement(
      """
      SELECT t."z_index", \(SearchEvent.insert)::bigint, true, \(selected) FROM \(table) AS t \
      WHERE t."z_index" > $1 ORDER BY t."z_index" LIMIT \(Self.batchSize)
      """, [.bigint])
    // The entries of the same rows are deleted before the new ones are inserted, because the conditions
    // need the numbers of the deleted ones.
    let (words, rows) = (definition.names.words.quoted, definition.names.rows.quoted)
    write = PostgreSQLStatement(
      """
      WITH old_words AS (DELETE FROM \(words) WHERE "z_index" = ANY($1) RETURNING 1), \
      old_rows AS (DELETE FROM \(rows) WHERE "z_index" = ANY($1) RETURNING 1), \
      new_rows AS (INSERT INTO \(rows) SELECT * FROM unnest($2, $3) \
      WHERE (SELECT count(*) FROM old_rows) >= 0) \
      INSERT INTO \(words) SELECT w, z, p::bigint[] FROM unnest($4, $5, $6) AS n (w, z, p) \
      WHERE (SELECT count(*) FROM old_words) >= 0
      """,
      [
        .bigint.array, .bigint.array, .bigint.array, .bytea.array, .bigint.array, .text.array,
      ])
  }

  /// The number of rows whose texts are read at once.
  private static let batchSize = 500
  /// The number of words of which the entries are written at once.
  private static let wordLimit = 20_000

  /// Creates the temporary table of the changed rows, unless it exists.
  package static let createOwnLog = """
    CREATE TEMPORARY TABLE IF NOT EXISTS \(SearchNames.ownLog) (\
    table_name text COLLATE "C" NOT NULL, z_index bigint NOT NULL, event smallint NOT NULL) \
    ON COMMIT DELETE ROWS; \
    CREATE INDEX IF NOT EXISTS \(SearchNames.ownLog)_row ON pg_temp.\(SearchNames.ownLog) \
    (table_name, z_index)
    """

  /// Forgets the rows of a table that the transaction has changed.
  package static func clearOwnLog(ofTable table: String) -> String {
    "DELETE FROM pg_temp.\(SearchNames.ownLog) WHERE table_name = \(table.literal)"
  }

  /// Updates the index with the rows that the transaction has changed.
  package func updateOwn(on connection: PostgreSQLConnection) throws {
    try index(takeOwn, on: connection)
  }

  /// Updates the index with the rows that other programs have changed.
  package func updateLogged(on connection: PostgreSQLConnection) throws {
    try index(takeLogged, on: connection)
  }

  /// Inserts the entries of all rows into an empty index.
  ///
  /// - Parameter progress: called with the number of rows after each batch.
  package func fill(
    on connection: PostgreSQLConnection, progress: (Int) -> Void = { _ in }
  ) throws {
    try Task.checkCancellation()
    var done = 0
    try index(selectBatch, on: connection) { count in
      done += count
      progress(done)
      try Task.checkCancellation()
    }
  }

  /// Replaces the entries of the rows that a statement returns in batches, so that the memory does not
  /// depend on their number. Its parameter is the last row ID of the batch before.
  private func index(
    _ batches: PostgreSQLStatement, on connection: PostgreSQLConnection,
    didIndex: (_ count: Int) throws -> Void = { _ in }
  ) throws {
    var before = Int64.min
    while true {
      fields.removeAll()
      fields.append(integer: before)
      let result = try translating { () throws(PostgreSQLError) in
        try connection.run(batches, fields)
      }
      guard result.count > 0 else { return }
      try index(result, on: connection)
      try didIndex(result.count)
      guard result.count == Self.batchSize else { return }
      before = result.integer(result.count - 1, 0)
    }
  }

  // MARK: Entries

  private struct Entries {
    var old: [Int64] = []
    var rows: [(Int64, Int)] = []
    var words: [(row: Int64, word: [UInt8], places: [Int64])] = []
  }

  /// Replaces the entries of the rows of a result.
  private func index(_ result: PostgreSQLResult, on connection: PostgreSQLConnection) throws {
    var entries = Entries()
    for row in 0..<result.count {
      let rowID = result.integer(row, 0)
      if result.integer(row, 1) != Int64(SearchEvent.insert) { entries.old.append(rowID) }
      guard result.integer(row, 2) != 0 else { continue }
      let (words, count) = texts.words(of: row, in: result, first: 3)
      entries.rows.append((rowID, count))
      for (word, places) in words { entries.words.append((rowID, word, places)) }
      if entries.words.count >= Self.wordLimit {
        try write(entries, on: connection)
        entries = Entries()
      }
    }
    if !entries.old.isEmpty || !entries.rows.isEmpty { try write(entries, on: connection) }
  }

  private func write(_ entries: Entries, on connection: PostgreSQLConnection) throws {
    fields.removeAll()
    fields.append(integers: entries.old)
    fields.append(integers: entries.rows.map(\.0))
    fields.append(integers: entries.rows.map { Int64($0.1) })
    fields.beginArray(of: .bytea, count: entries.words.count)
    for entry in entries.words {
      entry.word.withUnsafeBytes { fields.append(bytes: $0) }
    }
    fields.endArray()
    fields.append(integers: entries.words.map(\.row))
    fields.beginArray(of: .text, count: entries.words.count)
    for entry in entries.words {
      let places = entry.places.map { "\($0)" }.joined(separator: ",")
      fields.append(text: "{\(places)}")
    }
    fields.endArray()
    try translating { () throws(PostgreSQLError) in try connection.run(write, fields) }
    fields.removeAll()
  }

  @discardableResult
  private func translating(
    _ body: () throws(PostgreSQLError) -> PostgreSQLResult
  ) throws -> PostgreSQLResult {
    do {
      return try body()
    } catch {
      throw MagicError(error, schema: definition.schema)
    }
  }

  // MARK: Searches

  /// Returns the SQL of a search.
  ///
  /// - Parameter text: a text in the syntax of searches.
  /// - Throws: `MagicError` with `.invalidQuery` for another text.
  package func sql(of text: String, isScored: Bool) throws -> String {
    let columns = definition.search.columns
    do {
      let node = try SearchParser.parse(text, columnCount: columns.count, words: texts.words)
      return SearchWriter.sql(
        node, definition.names, weights: columns.map(\.weight), isScored: isScored)
    } catch {
      throw MagicError(
        .invalidQuery, "The text of the search is not in the syntax of searches.",
        type: definition.schema.typeName, cause: error)
    }
  }
}
