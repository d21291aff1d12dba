import Foundation
import MagicData
package import MagicInspection

/// Reads types and objects on a server of PostgreSQL, as `InspectionReader` reads those of a file. It is
/// valid during one call of `ServerPool`, which is a transaction.
package final class ServerReader {
  /// The statements of the transaction.
  struct Statements {
    /// Runs a statement with values of named parameters.
    let rows: (MagicSQL, [String: InspectedValue]) throws -> [MagicSQLRow]
    /// Returns the plan of a statement with values of named parameters.
    let plan: (MagicSQL, [String: InspectedValue]) throws -> MagicPlan
  }

  private let statements: Statements
  /// The largest part of a text or of data that is read, in bytes.
  package var valueLimit = 1 << 20
  /// The labels of objects that were read, by their tables and row IDs.
  private var labels: [String: [Int64: Label]] = [:]

  /// The value that names an object.
  private enum Label {
    case stored(InspectedValue)
    /// The role has no right to read the object.
    case unreadable
    /// The row does not exist.
    case missing

    var exists: Bool {
      if case .missing = self { false } else { true }
    }

    var value: InspectedValue? {
      if case .stored(let value) = self { value } else { nil }
    }
  }

  /// The largest cost of a statement, as the server estimates it; nil without a limit.
  private var costLimit: Double?

  /// The types that the pool has read last.
  let types: KnownTypes?

  init(_ statements: Statements, _ types: KnownTypes?) {
    (self.statements, self.types) = (statements, types)
  }

  /// Runs a SELECT with values of named parameters, and returns its rows.
  package func rows(
    _ sql: String, _ values: [String: InspectedValue] = [:]
  ) throws -> [[InspectedValue]] {
    try results(of: sql, values).map { $0.values.map(InspectedValue.init(of:)) }
  }

  private func results(
    of sql: String, _ values: [String: InspectedValue]
  ) throws -> [MagicSQLRow] {
    let statement = MagicSQL(stringLiteral: sql)
    if let costLimit, !sql.hasPrefix("EXPLAIN") { try check(sql, values, costLimit) }
    return try statements.rows(statement, values)
  }
}

// MARK: - Limits

extension ServerReader {
  /// The number of units of cost that a server reads in a millisecond, roughly: one is a page of 8 KiB that
  /// is read in order, or a hundred rows. A server does not stop one statement of a transaction after a time
  /// without a setting of the connection, so statements that would need too long do not begin.
  private static let costOfMillisecond = 100.0

  private func check(
    _ sql: String, _ values: [String: InspectedValue], _ limit: Double
  ) throws {
    // `Limit  (cost=0.42..8.44 rows=1 width=36)`
    let plan = try rows("EXPLAIN " + sql, values).first?.first?.text ?? ""
    let cost = plan.firstMatch(of: #/cost=[0-9.]+\.\.([0-9.]+) /#).flatMap { Double($0.output.1) }
    guard cost ?? 0 <= limit else {
      throw InspectionError(.limit, "The statement would need more than its limit of time.")
    }
  }
}

extension ServerReader: DatabaseReading {
  package var dialect: RowDialect { .postgreSQL }

  package func snapshot<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  package func ifReadable<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as MagicError where error.code == .readOnly {
      // The failed statement had a savepoint, so that the transaction continues.
      return nil
    }
  }

  /// Runs a body with a limit of time for each statement, as the server estimates its cost.
  package func limited<Result>(
    to duration: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let limit = duration / .milliseconds(1) * Self.costOfMillisecond
    let outer = costLimit
    costLimit = min(limit, outer ?? limit)
    defer { costLimit = outer }
    return try body()
  }

  /// A number that differs after each commit of the server, in other databases too.
  package func commitCounter() throws -> Int64 {
    try rows("SELECT hashtextextended(pg_current_snapshot()::text, 0)").first?.first?.integer ?? 0
  }

  // MARK: Rows

  package func columnList(of type: InspectedType) -> String {
    let values = type.columns.flatMap { [beginning(of: $0), rest(of: $0)] }
    return ([InspectedType.rowIDColumn] + values).joined(separator: ", ")
  }

  package func forEachRow(
    _ sql: String, _ values: [InspectedValue], of type: InspectedType, isScored: Bool,
    _ body: (InspectedRow) throws -> Void
  ) throws {
    for row in try rows(sql, values, valuesUpTo: .max) {
      let values = type.columns.indices.map { index in
        value(row[index * 2 + 1], rest: row[index * 2 + 2].integer ?? 0)
      }
      let score = isScored ? row.last?.number : nil
      try body(InspectedRow(rowID: row[0].integer ?? 0, values: values, score: score))
    }
  }

  package func rows(
    _ sql: String, _ values: [InspectedValue], valuesUpTo limit: Int
  ) throws -> [[InspectedValue]] {
    let names = values.indices.map { "value\($0 + 1)" }
    let named = Dictionary(uniqueKeysWithValues: zip(names, values))
    let found = try rows(Self.naming(parametersOf: sql), named)
    return limit == .max ? found : found.map { $0.map { $0.beginning(limit) } }
  }

  /// Gives the parameters `?` of a statement of this module names. Its names and texts are in quotes.
  static func naming(parametersOf sql: String) -> String {
    var (result, quote, count) = (String.UnicodeScalarView(), Unicode.Scalar?.none, 0)
    for scalar in sql.unicodeScalars {
      if let current = quote {
        if scalar == current { quote = nil }
      } else if scalar == "?" {
        count += 1
        result += ":value\(count)".unicodeScalars
        continue
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      }
      result.append(scalar)
    }
    return String(result)
  }

  /// The number of bytes that are read of a value. The server counts with 32 bits.
  private var byteLimit: Int { min(valueLimit, 1 << 28) }
  /// The number of characters that are read of a stored text, which has up to three for one.
  private var characterLimit: Int { 3 * byteLimit }

  /// The first part of a value of a column, with at least as many bytes as are kept.
  private func beginning(of column: InspectedColumn) -> String {
    let name = column.column.quoted
    return switch column.declaredType {
    case "text": "left(\(name), \(characterLimit))"
    case "bytea": "substring(\(name) FROM 1 FOR \(byteLimit))"
    default: name
    }
  }

  /// Whether a text has more characters than are read, or the size of data.
  private func rest(of column: InspectedColumn) -> String {
    let name = column.column.quoted
    return switch column.declaredType {
    case "text": "substring(\(name) FROM \(characterLimit + 1) FOR 1) <> ''"
    case "bytea": "octet_length(\(name))"
    default: "NULL"
    }
  }

  private func value(_ beginning: InspectedValue, rest: Int64) -> InspectedValue {
    switch beginning.stored {
    case .text(let text): InspectedValue(beginning: text, hasMore: rest != 0, limit: valueLimit)
    case .blob(let bytes):
      InspectedValue(beginning: bytes, byteCount: Int(rest), limit: valueLimit)
    default: beginning
    }
  }

  // MARK: Statements of users

  package func query(
    _ sql: String, values: [String: InspectedValue], limit: Int, bytes: Int
  ) throws -> SQLResult {
    let subquery = Self.subquery(sql)
    let range = "\(subquery) LIMIT \(limit < .max ? limit + 1 : limit)"
    if bytes < .max { try Self.translatingSQLErrors { try checkSize(of: range, values, bytes) } }
    let (found, names) = try Self.translatingSQLErrors {
      let found = try results(
        of: "SELECT * FROM \(range)", values)
      // A row without values, because a result without rows does not have the names of its columns.
      let names =
        try found.first
        ?? results(
          of: "SELECT magic_names.* FROM (SELECT 1) AS magic_row LEFT JOIN "
            + "(SELECT * FROM \(subquery) LIMIT 0) AS magic_names ON true", values
        ).first
      return (found, names)
    }
    let rows = found.prefix(limit).map { row in
      row.values.map { InspectedValue(of: $0).beginning(valueLimit) }
    }
    return SQLResult(columns: names?.columns ?? [], rows: rows, hasMore: found.count > limit)
  }

  /// Checks the size of rows before the server sends them.
  private func checkSize(
    of range: String, _ values: [String: InspectedValue], _ limit: Int
  ) throws {
    let size = try rows(
      "SELECT coalesce(sum(octet_length(CAST(magic_row AS text))), 0)::bigint FROM "
        + "(SELECT * FROM \(range)) AS magic_row", values
    ).first?.first?.integer
    guard size ?? 0 <= limit else {
      throw InspectionError(.limit, "The rows have more than \(limit) bytes.")
    }
  }

  package func plan(of sql: String) throws -> [PlanStep] { try plan(of: sql, [:]) }

  package func plan(
    of sql: String, _ values: [String: InspectedValue]
  ) throws -> [PlanStep] {
    let statement = MagicSQL(stringLiteral: "SELECT * FROM \(Self.subquery(sql))")
    return Self.steps(
      try Self.translatingSQLErrors { try statements.plan(statement, values) }.steps, 0)
  }

  /// The SQL is that of a user.
  private static func translatingSQLErrors<Result>(
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as MagicError where error.code == .invalidQuery {
      throw InspectionError(.invalidInput, error.message)
    }
  }

  private static func steps(_ steps: [MagicPlan.Step], _ depth: Int) -> [PlanStep] {
    steps.flatMap { step in
      [PlanStep(depth: depth, text: step.text, isFullScan: step.isFullScan)]
        + Self.steps(step.steps, depth + 1)
    }
  }

  private static func subquery(_ sql: String) -> String {
    // A comment at the end of the SQL must not hide the parenthesis.
    let inner = sql.trimmingCharacters(in: .whitespacesAndNewlines.union([";"]))
    return "(\(inner)\n) AS magic_query"
  }

  // MARK: Search and assets

  /// Returns nothing: a search on a server uses no index, so it marks nothing.
  package func snippets(
    of search: RowSearch, in type: InspectedType, _ rowIDs: [Int64]
  ) throws -> [Int64: [String: SearchSnippet]] { [:] }

  package func asset(named name: String) throws -> StoredAsset? {
    let text = ["name": InspectedValue(.text(name))]
    guard
      let size = try rows("SELECT size FROM magic_assets WHERE name = :name", text).first?.first?
        .integer
    else { return nil }
    return .rows(Int(size)) { count in
      var found: [UInt8] = []
      let piece = count < Self.pieceSize ? "substring(bytes FROM 1 FOR \(count))" : "bytes"
      let pieces = try self.rows(
        "SELECT \(piece) FROM magic_asset_data WHERE name = :name AND part < :parts ORDER BY part",
        text.merging(["parts": InspectedValue(.integer(Int64(count / Self.pieceSize + 1)))]) { $1 })
      for piece in pieces { found += piece[0].bytes ?? [] }
      return Array(found.prefix(count))
    }
  }

  /// The size of a part of an asset, in bytes.
  private static let pieceSize = 256 << 10
}

// MARK: - Objects

extension ServerReader {
  package func reference(
    to rowID: Int64, of type: InspectedType, key: InspectedValue?
  ) throws -> InspectedReference {
    if labels[type.table]?[rowID] == nil { try readReferences(to: [rowID], of: type) }
    let label = labels[type.table]?[rowID] ?? .missing
    let text = label.value?.text(as: type.labelColumn?.form ?? .text)
    let isEmpty = text?.allSatisfy(\.isWhitespace) ?? true
    return InspectedReference(
      table: type.table, rowID: rowID, label: isEmpty ? nil : text.map { InspectedText.line($0) },
      exists: label.exists, key: key)
  }

  package func readReferences(to rowIDs: [Int64], of type: InspectedType) throws {
    let new = Set(rowIDs).filter { labels[type.table]?[$0] == nil }.sorted()
    guard !new.isEmpty else { return }
    let label = type.labelColumn.map { column in
      column.declaredType == "text" ? "left(\(column.column.quoted), 240)" : column.column.quoted
    }
    // The row IDs are integers, so they can be parts of the SQL.
    let found = try ifReadable {
      try rows(
        """
        SELECT \(InspectedType.rowIDColumn), \(label ?? "NULL") FROM \(type.table.quoted) \
        WHERE \(InspectedType.rowIDColumn) IN (\(new.map(String.init).joined(separator: ", ")))
        """)
    }
    var table = labels[type.table] ?? [:]
    for rowID in new { table[rowID] = found == nil ? .unreadable : .missing }
    for row in found ?? [] { table[row[0].integer ?? 0] = .stored(row[1]) }
    labels[type.table] = table
  }
}
