import MagicEngine
import MagicMigration
package import MagicSQLite
import SQLiteTables

/// Runs the queries of a planner on a connection, and caches their results.
///
/// The results are valid only until a row is written, so each plan has its own instance.
package final class StoredRows: RowQueries {
  private let connection: SQLiteConnection
  private var integers: [String: Int64] = [:]
  private var rows: [String: [Int64]] = [:]
  private var exactLiterals: [String: Bool] = [:]

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func integer(_ query: String) throws -> Int64 {
    if let cached = integers[query] { return cached }
    let integer = try connection.integer(query) ?? 0
    integers[query] = integer
    return integer
  }

  func firstRows(_ query: String) throws -> [Int64] {
    if let cached = rows[query] { return cached }
    let statement = try connection.prepare("\(query) LIMIT \(RowIDText.maximumCount + 1)")
    defer { statement.reset() }
    var found: [Int64] = []
    while try statement.step() { found.append(statement.column(0).integer) }
    rows[query] = found
    return found
  }

  func reads(_ literal: String, as value: Double) throws -> Bool {
    if let cached = exactLiterals[literal] { return cached }
    let probe = try connection.prepare("SELECT \(literal)")
    defer { probe.reset() }
    let isExact =
      try probe.step() && probe.column(0).type == .real
      && probe.column(0).real.bitPattern == value.bitPattern
    exactLiterals[literal] = isExact
    return isExact
  }
}

extension MigrationPlanner {
  /// Creates a planner for the current state of the database. Its plan must be made before rows are
  /// written.
  package init(_ connection: SQLiteConnection) {
    self.init(catalogue: Catalogue(connection: connection), rows: StoredRows(connection))
  }
}
