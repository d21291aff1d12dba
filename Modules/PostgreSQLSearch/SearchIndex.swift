import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// The entries of a search index, on one connection.
///
/// The index is in tables, and its entries are written in the transaction that changes the rows. Triggers
/// note the changed rows, so that rows that raw SQL and other programs write are indexed too.
final class SearchIndex {
  let texts: SearchTexts
  private let names: SearchNames
  /// The type; nil if it is not declared.
  private let schema: ObjectSchema?
  private let fields = PostgreSQLFields()
  private let takeOwn: PostgreSQLStatement
  private let takeLogged: PostgreSQLStatement
  private let selectLastLogged: PostgreSQLStatement
  private let selectBatch: PostgreSQLStatement
  private let write: PostgreSQLStatement
  /// The number of writes since the rows of the totals were added up. The first one is random, because
  /// many connections may be open for a short time.
  private var writesSinceSum = Int.random(in: 0..<sumInterval)

  init(_ names: SearchNames, _ texts: SearchTexts, _ schema: ObjectSchema?) {
    (self.names, self.texts, self.schema) = (names, texts, schema)
    let (table, name) = (names.table.quoted, names.table.literal)
    let selected = texts.selected("t").joined(separator: ", ")
    // Each row is looked up by its row ID: a scan of the table would conflict with all transactions at
    // the level SERIALIZABLE that write to it.
    func take(_ log: String, _ event: String) -> PostgreSQLStatement {
      let noted = """
        SELECT o.z_index, coalesce((SELECT \(texts.size("t")) FROM \(table) AS t \
        WHERE t."z_index" = o.z_index), 0) AS size FROM (SELECT DISTINCT z_index FROM \(log) \
        WHERE table_name = \(name) AND z_index > $1 AND z_index <= $2 ORDER BY z_index \
        LIMIT \(Self.batchSize)) AS o
        """
      return PostgreSQLStatement(
        """
        WITH k AS MATERIALIZED (\(Self.batch(of: noted))), \
        l AS (DELETE FROM \(log) AS o USING k WHERE o.table_name = \(name) AND o.z_index = k.z_index \
        AND \(Self.isInBatch) RETURNING o.z_index, o.event, k.count), \
        r AS (SELECT z_index, \(event) AS event, max(count) AS count FROM l GROUP BY z_index) \
        SELECT r.z_index, r.event::bigint, r.count, t.* FROM r LEFT JOIN LATERAL (SELECT true, \(selected) \
        FROM \(table) AS t WHERE t."z_index" = r.z_index OFFSET 0) AS t ON true ORDER BY r.z_index
        """, [.bigint, .bigint])
    }
    // A new row can have the row ID of a row that another program has deleted, whose entries still exist.
    let isNoted =
      "EXISTS (SELECT FROM \(SearchNames.log) AS o WHERE o.table_name = \(name) AND o.z_index = l.z_index)"
    takeOwn = take(
      "pg_temp.\(SearchNames.ownLog)",
      "CASE WHEN \(isNoted) THEN \(SearchEvent.delete) ELSE max(event) END")
    // Other sessions may have indexed the row meanwhile.
    takeLogged = take(SearchNames.log, "\(SearchEvent.delete)")
    selectLastLogged = PostgreSQLStatement(
      "SELECT max(z_index) FROM \(SearchNames.log) WHERE table_name = \(name)", [])
    let rows = """
      SELECT t."z_index", \(texts.size("t")) AS size FROM \(table) AS t \
      WHERE t."z_index" > $1 AND t."z_index" <= $2 ORDER BY t."z_index" LIMIT \(Self.batchSize)
      """
    selectBatch = PostgreSQLStatement(
      """
      WITH k AS MATERIALIZED (\(Self.batch(of: rows))) \
      SELECT t."z_index", \(SearchEvent.insert)::bigint, k.count, true, \(selected) \
      FROM k JOIN \(table) AS t ON t."z_index" = k.z_index WHERE \(Self.isInBatch) ORDER BY t."z_index"
      """, [.bigint, .bigint])
    // The entries of the same rows are deleted before the new ones are inserted, because the conditions
    // need the numbers of the deleted ones.
    let (words, sizes) = (names.words.quoted, names.rows.quoted)
    write = PostgreSQLStatement(
      """
      WITH old_words AS (DELETE FROM \(words) WHERE "z_index" = ANY($1) RETURNING 1), \
      old_rows AS (DELETE FROM \(sizes) WHERE "z_index" = ANY($1) RETURNING "size"), \
      new_rows AS (INSERT INTO \(sizes) SELECT * FROM unnest($2, $3) \
      WHERE (SELECT count(*) FROM old_rows) >= 0), \
      new_totals AS (INSERT INTO \(names.totals.quoted) SELECT cardinality($2) - n, \
      coalesce((SELECT sum(size) FROM unnest($3) AS size), 0) - words \
      FROM (SELECT count(*) AS n, coalesce(sum("size"), 0) AS words FROM old_rows) AS old) \
      INSERT INTO \(words) SELECT w, z, p::bigint[] FROM unnest($4, $5, $6) AS n (w, z, p) \
      WHERE (SELECT count(*) FROM old_words) >= 0
      """,
      Entries.types)
  }

  /// The number of rows whose texts are read at once.
  private static let batchSize = 500
  /// The size of the texts that are read at once, in bytes, unless a single row has more.
  private static let byteLimit = 16 << 20

  /// Returns the SQL of the next rows: their number, and the size of the texts before each of them.
  private static func batch(of rows: String) -> String {
    """
    SELECT z_index, count(*) OVER () AS count, sum(size) OVER (ORDER BY z_index) - size AS before \
    FROM (\(rows)) AS rows
    """
  }

  private static let isInBatch = "k.before < \(byteLimit)"
  /// The number of words of which the entries are written at once.
  private static let wordLimit = 20_000

  /// The number of writes after which a connection adds up the rows of the totals.
  private static let sumInterval = 64

  /// The SQL that adds up the rows of the totals, if there may be many. It runs outside of the transactions
  /// that write, because two of them would conflict, and does not wait for others.
  func sqlAddingUpTotals() -> String? {
    guard writesSinceSum >= Self.sumInterval else { return nil }
    writesSinceSum = 0
    return "BEGIN; SET LOCAL lock_timeout = '100ms'; \(sumTotals); COMMIT"
  }

  private var sumTotals: String {
    let totals = names.totals.quoted
    return """
      WITH old AS (DELETE FROM \(totals) WHERE ctid = ANY(ARRAY(SELECT ctid FROM \(totals) \
      FOR UPDATE SKIP LOCKED)) RETURNING "rows", "words") \
      INSERT INTO \(totals) SELECT sum("rows"), sum("words") FROM old HAVING count(*) > 0
      """
  }

  /// Creates the temporary table of the changed rows, unless it exists.
  static let createOwnLog = """
    CREATE TEMPORARY TABLE IF NOT EXISTS \(SearchNames.ownLog) (\
    table_name text COLLATE "C" NOT NULL, z_index bigint NOT NULL, event smallint NOT NULL) \
    ON COMMIT DELETE ROWS; \
    CREATE INDEX IF NOT EXISTS \(SearchNames.ownLog)_row ON pg_temp.\(SearchNames.ownLog) \
    (table_name, z_index)
    """

  /// Forgets the rows of a table that the transaction has changed.
  static func clearOwnLog(ofTable table: String) -> String {
    "DELETE FROM pg_temp.\(SearchNames.ownLog) WHERE table_name = \(table.literal)"
  }

  /// Updates the index with the rows that the transaction has changed.
  func updateOwn(on connection: PostgreSQLConnection) throws {
    try forEachBatch(of: takeOwn, on: connection) { try index($0, on: connection) }
  }

  /// Updates the index with the rows that other programs have changed. Those that they add meanwhile may
  /// remain, so that the call ends.
  func updateLogged(on connection: PostgreSQLConnection) throws {
    let last = try translating { () throws(PostgreSQLError) in
      try connection.run(selectLastLogged)
    }
    guard !last.isNull(0, 0) else { return }
    try forEachBatch(of: takeLogged, upTo: last.integer(0, 0), on: connection) {
      try index($0, on: connection)
    }
  }

  /// Inserts the entries of all rows into an empty index.
  ///
  /// - Parameter progress: called with the number of rows after each batch.
  func fill(
    on connection: PostgreSQLConnection, progress: (Int) -> Void = { _ in }
  ) throws {
    try Task.checkCancellation()
    var done = 0
    try forEachBatch(of: selectBatch, on: connection) { result in
      try index(result, on: connection)
      done += result.count
      progress(done)
      try Task.checkCancellation()
      return true
    }
    _ = try translating { () throws(PostgreSQLError) in
      try connection.run(PostgreSQLStatement(sumTotals, []))
    }
  }

  /// Replaces the entries of the rows of a result.
  ///
  /// - Returns: true, to continue with the next batch.
  @discardableResult
  private func index(
    _ result: PostgreSQLResult, on connection: PostgreSQLConnection
  ) throws -> Bool {
    try forEachPart(of: result) {
      try run(write, $0, on: connection)
      writesSinceSum += 1
    }
    return true
  }

  // MARK: Comparison

  /// Finds the rows whose entries differ from their texts, but for those that are still to be indexed.
  ///
  /// - Parameter body: called with each row ID; returns whether to continue.
  func forEachWrongRow(
    on connection: PostgreSQLConnection, _ body: (Int64) throws -> Bool
  ) throws {
    let (words, rows) = (names.words.quoted, names.rows.quoted)
    let isNotNoted = """
      NOT EXISTS (SELECT FROM \(SearchNames.log) AS l \
      WHERE l.table_name = \(names.table.literal) AND l.z_index = d.z)
      """
    func report(_ wrong: PostgreSQLResult) throws -> Bool {
      try (0..<wrong.count).allSatisfy { try body(wrong.integer($0, 0)) }
    }
    let compare = PostgreSQLStatement(
      """
      WITH texts AS (SELECT w, z, p::bigint[] FROM unnest($4, $5, $6) AS n (w, z, p)), \
      entries AS (SELECT "word", "z_index", "places" FROM \(words) WHERE "z_index" = ANY($2)), \
      counts AS (SELECT * FROM unnest($2, $3) AS n (z, n)), \
      sizes AS (SELECT "z_index", "size" FROM \(rows) WHERE "z_index" = ANY($2)) \
      SELECT z FROM (SELECT z FROM (TABLE texts EXCEPT TABLE entries) AS d (w, z, p) \
      UNION SELECT z FROM (TABLE entries EXCEPT TABLE texts) AS d (w, z, p) \
      UNION SELECT z FROM (TABLE counts EXCEPT TABLE sizes) AS d (z, n) \
      UNION SELECT z FROM (TABLE sizes EXCEPT TABLE counts) AS d (z, n)) AS d \
      WHERE \(isNotNoted) ORDER BY 1
      """, Entries.types)
    var continues = true
    try forEachBatch(of: selectBatch, on: connection) { result in
      try forEachPart(of: result) { part in
        if continues { continues = try report(run(compare, part, on: connection)) }
      }
      return continues
    }
    guard continues else { return }
    let removed = try translating { () throws(PostgreSQLError) in
      try connection.run(
        PostgreSQLStatement(
          """
          SELECT z FROM (SELECT "z_index" FROM \(words) UNION SELECT "z_index" FROM \(rows)) AS d (z) \
          WHERE NOT EXISTS (SELECT FROM \(names.table.quoted) AS t WHERE t."z_index" = d.z) \
          AND \(isNotNoted) ORDER BY 1
          """, []))
    }
    _ = try report(removed)
  }

  /// Whether the totals are those of the rows.
  func hasCorrectTotals(on connection: PostgreSQLConnection) throws -> Bool {
    let compare = PostgreSQLStatement(
      """
      SELECT coalesce(sum("rows"), 0), coalesce(sum("words"), 0) FROM \(names.totals.quoted) \
      EXCEPT SELECT count(*), coalesce(sum("size"), 0) FROM \(names.rows.quoted)
      """, [])
    return try translating { () throws(PostgreSQLError) in try connection.run(compare) }.count == 0
  }

  // MARK: Batches

  /// Runs a statement that returns rows in batches, so that the memory does not depend on their number.
  /// Its parameters are the last row ID of the batch before, and the last one of all.
  ///
  /// - Parameter body: called with each batch; returns whether to continue.
  private func forEachBatch(
    of statement: PostgreSQLStatement, upTo last: Int64 = .max, on connection: PostgreSQLConnection,
    _ body: (PostgreSQLResult) throws -> Bool
  ) throws {
    var before = Int64.min
    while true {
      fields.removeAll()
      fields.append(integer: before)
      fields.append(integer: last)
      let result = try translating { () throws(PostgreSQLError) in
        try connection.run(statement, fields)
      }
      guard result.count > 0, try body(result) else { return }
      let available = result.integer(0, 2)
      guard available == Self.batchSize || available > result.count else { return }
      before = result.integer(result.count - 1, 0)
    }
  }

  /// The entries of rows.
  private struct Entries {
    /// The rows that may have entries in the index.
    var old: [Int64] = []
    /// The rows with texts, and the numbers of their words.
    var rows: [(Int64, Int)] = []
    var words: [(row: Int64, word: [UInt8], places: [Int64])] = []

    /// The types of the parameters that have these values.
    static let types: [PostgreSQLType] = [
      .bigint.array, .bigint.array, .bigint.array, .bytea.array, .bigint.array, .text.array,
    ]
  }

  /// Calls a closure with the entries of the rows of a result, in parts of a limited size.
  private func forEachPart(of result: PostgreSQLResult, _ body: (Entries) throws -> Void) throws {
    var entries = Entries()
    for row in 0..<result.count {
      let rowID = result.integer(row, 0)
      if result.integer(row, 1) != Int64(SearchEvent.insert) { entries.old.append(rowID) }
      guard result.integer(row, 3) != 0 else { continue }
      let (words, count) = texts.words(of: row, in: result, first: 4)
      entries.rows.append((rowID, count))
      for (word, places) in words { entries.words.append((rowID, word, places)) }
      if entries.words.count >= Self.wordLimit {
        try body(entries)
        entries = Entries()
      }
    }
    if !entries.old.isEmpty || !entries.rows.isEmpty { try body(entries) }
  }

  /// Runs a statement whose parameters are entries.
  @discardableResult
  private func run(
    _ statement: PostgreSQLStatement, _ entries: Entries, on connection: PostgreSQLConnection
  ) throws -> PostgreSQLResult {
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
    defer { fields.removeAll() }
    return try translating { () throws(PostgreSQLError) in try connection.run(statement, fields) }
  }

  private func translating(
    _ body: () throws(PostgreSQLError) -> PostgreSQLResult
  ) throws -> PostgreSQLResult {
    do {
      return try body()
    } catch {
      throw MagicError(error, schema: schema)
    }
  }
}
