import Foundation
package import MagicEngine
package import MagicPostgreSQL
import MagicSchema
package import PostgreSQLSearch
import PostgreSQLTables

/// A check of what the server does not enforce: the counts and pieces of assets, the rows that name
/// them, the counters of row IDs, search indexes, and the orders of indexes. The server itself enforces
/// references and types of values.
package struct Verification {
  let connection: PostgreSQLConnection
  /// The maximum number of findings of each kind.
  let limit: Int
  let cancellation: CancellationToken
  private var report = MagicReport()

  package init(_ connection: PostgreSQLConnection, limit: Int, _ cancellation: CancellationToken) {
    self.connection = connection
    self.limit = limit
    self.cancellation = cancellation
  }

  /// Runs the check in a transaction of the caller.
  package mutating func run() throws -> MagicReport {
    guard try Catalogue.exists(on: connection) else { return report }
    let tables = try Catalogue.tables(on: connection).sorted { $0.key < $1.key }
    try checkForeignKeys()
    for (table, type) in tables { try checkCounter(of: table, type) }
    try cancellation.check()
    try OutdatedOrders.findings(in: tables, on: connection).forEach { add($0) }
    for index in try StoredSearch.all(on: connection) {
      let type = tables.first { $0.key == index.table }?.value
      try forEachFinding(of: index, type: type) { $0.add($1) }
    }
    try checkPieces()
    try checkUses(in: tables)
    return report
  }

  // MARK: References

  /// A foreign key that was added as NOT VALID, or whose triggers were disabled, is not enforced. Those of
  /// other programs are theirs, also if their tables are in the same schema.
  private mutating func checkForeignKeys() throws {
    let keys = try rows(
      """
      SELECT c.conrelid::regclass::text, a.attname::text, c.confrelid::regclass::text, \
      r.relname::text, t.relname::text FROM pg_constraint AS c \
      JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1] \
      JOIN pg_class AS r ON r.oid = c.conrelid JOIN pg_class AS t ON t.oid = c.confrelid \
      WHERE c.contype = 'f' AND c.connamespace = (SELECT relnamespace FROM pg_class \
      WHERE oid = 'magic_format'::regclass) AND cardinality(c.conkey) = 1 \
      AND EXISTS (SELECT FROM pg_attribute AS k WHERE k.attrelid = c.confrelid \
      AND k.attnum = c.confkey[1] AND k.attname = 'z_index') \
      AND t.relname::text IN (SELECT table_name FROM magic_types) \
      AND r.relname::text IN (SELECT table_name FROM magic_types \
      UNION SELECT join_table FROM magic_relationships) ORDER BY 1, 2
      """)
    for key in 0..<keys.count {
      try cancellation.check()
      let (table, column) = (keys.text(key, 0), keys.text(key, 1))
      let row = keys.text(key, 3).hasPrefix("magic_") ? "\"owner\"" : "\"z_index\""
      let broken = try rows(
        "SELECT \(row) FROM \(table) AS r WHERE \(column.quoted) IS NOT NULL AND NOT EXISTS "
          + "(SELECT FROM \(keys.text(key, 2)) AS t "
          + "WHERE t.\"z_index\" = r.\(column.quoted))")
      add(broken) {
        MagicFinding(
          .brokenReference, "The row refers to a row that does not exist.",
          table: keys.text(key, 3), column: column, row: Int64($0),
          target: keys.text(key, 4))
      }
    }
  }

  /// A row ID above the counter would be given to another row.
  private mutating func checkCounter(of table: String, _ type: String) throws {
    try cancellation.check()
    let sequence = TableDefinition.sequence(of: table)
    let wrong = try rows(
      """
      SELECT max("z_index") FROM \(table.quoted) HAVING max("z_index") >= \
      (SELECT last_value + CASE WHEN is_called THEN \(TableDefinition.blockSize) ELSE 0 END \
      FROM \(sequence.quoted)) AND NOT EXISTS (SELECT FROM pg_class \
      WHERE oid = to_regclass(\(TableDefinition.primaries(of: table).quoted.literal)))
      """)
    add(wrong) {
      MagicFinding(
        .wrongCount, "The row ID is not below the next one that the counter assigns.", type: type,
        table: table, row: Int64($0))
    }
  }

  // MARK: Search indexes

  /// Checks the search indexes alone, in a transaction of the caller.
  ///
  /// - Returns: the indexes with faults, each with its first finding, and the findings of the indexes that
  ///   cannot be checked.
  package mutating func wrongSearches() throws -> (wrong: [StoredSearch], report: MagicReport) {
    var wrong: [StoredSearch] = []
    guard try Catalogue.exists(on: connection) else { return (wrong, report) }
    let types = try Catalogue.tables(on: connection)
    for index in try StoredSearch.all(on: connection) {
      try forEachFinding(of: index, type: types[index.table]) { verification, finding in
        if finding.kind.isFault { wrong.append(index) }
        verification.add(finding)
        return false
      }
    }
    return (wrong, report)
  }

  /// - Parameter body: called with each finding; returns whether to continue.
  private mutating func forEachFinding(
    of index: StoredSearch, type: String?, _ body: (inout Verification, MagicFinding) -> Bool
  ) throws {
    try index.forEachFault(on: connection) { fault in
      try cancellation.check()
      return body(&self, MagicFinding(fault, type: type, table: index.table))
    }
  }

  // MARK: Assets

  private mutating func checkPieces() throws {
    try cancellation.check()
    let piece = AssetTables.pieceSize
    let wrong = try rows(
      """
      SELECT a.name FROM magic_assets AS a LEFT JOIN (SELECT name, count(*) AS pieces, \
      max(part) AS last, sum(octet_length(bytes)) AS size FROM magic_asset_data GROUP BY name) AS d \
      ON d.name = a.name WHERE a.size <> coalesce(d.size, 0) \
      OR coalesce(d.pieces, 0) <> (a.size + \(piece - 1)) / \(piece) \
      OR coalesce(d.last + 1, 0) <> coalesce(d.pieces, 0) ORDER BY 1
      """)
    add(wrong) {
      MagicFinding(.wrongSize, "The asset does not have all its pieces.", file: $0)
    }
  }

  /// Compares the counts with the rows.
  private mutating func checkUses(in tables: [(key: String, value: String)]) throws {
    var uses: [String] = []
    for (table, type) in tables {
      let columns = try rows(
        """
        SELECT a.attname::text, a.attname::text FROM pg_attribute AS a \
        WHERE a.attrelid = to_regclass(\(table.quoted.literal)) AND a.attnum > 0 \
        AND NOT a.attisdropped ORDER BY a.attnum
        """)
      let triggers = try rows(
        "SELECT tgname::text FROM pg_trigger "
          + "WHERE tgrelid = to_regclass(\(table.quoted.literal)) AND tgenabled <> 'D'")
      let names = Set((0..<triggers.count).map { triggers.text($0, 0) })
      for index in 0..<columns.count {
        let column = columns.text(index, 0)
        guard names.contains(TableDefinition.assetTrigger(column, of: table)) else { continue }
        try cancellation.check()
        let use = "SELECT \(column.quoted) AS name FROM \(table.quoted)"
        uses.append("\(use) WHERE \(column.quoted) <> ''")
        let missing = try rows(
          "SELECT r.\"z_index\", r.\(column.quoted) FROM \(table.quoted) AS r "
            + "WHERE r.\(column.quoted) <> '' AND NOT EXISTS (SELECT FROM magic_assets AS a "
            + "WHERE a.name = r.\(column.quoted)) ORDER BY 1")
        add(missing) {
          MagicFinding(
            .missingFile, "The asset that the row names does not exist.", type: type, table: table,
            column: column, row: Int64($0))
        }
      }
    }
    try cancellation.check()
    let all =
      uses.isEmpty ? "SELECT NULL::text AS name WHERE false" : uses.joined(separator: " UNION ALL ")
    let counts = """
      FROM magic_assets AS a LEFT JOIN (SELECT name, count(*) AS uses FROM (\(all)) AS u \
      GROUP BY name) AS c ON c.name = a.name
      """
    let orphans = try rows("SELECT a.name \(counts) WHERE c.uses IS NULL ORDER BY 1")
    add(orphans) { MagicFinding(.orphanFile, "No row refers to the asset.", file: $0) }
    let wrong = try rows("SELECT a.name \(counts) WHERE c.uses <> a.uses ORDER BY 1")
    add(wrong) {
      MagicFinding(
        .wrongCount, "The count of rows that refer to the asset is wrong.", file: $0)
    }
  }

  // MARK: Findings

  private func rows(_ sql: String) throws -> PostgreSQLResult {
    try translatingErrors { try connection.execute(sql) }
  }

  private mutating func add(_ result: PostgreSQLResult, _ make: (String) -> MagicFinding) {
    for row in 0..<result.count where !add(make(result.text(row, 0))) { return }
  }

  /// - Returns: whether the limit of the kind is not exceeded.
  @discardableResult
  private mutating func add(_ finding: MagicFinding) -> Bool {
    guard report.findings.filter({ $0.kind == finding.kind }).count < limit else {
      report.isComplete = false
      return false
    }
    if finding.kind == .uncheckedSearchIndex { report.isComplete = false }
    report.findings.append(finding)
    return true
  }
}
