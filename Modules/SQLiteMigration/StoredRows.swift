import MagicEngine
import MagicMigration
package import MagicSQLite
import SQLiteTables

/// Answers a planner's questions from a file, each question once.
///
/// The answers hold for as long as no row is written, so each plan has its own.
package final class StoredRows: RowQueries {
  private let connection: SQLiteConnection
  private var integers: [String: Int64] = [:]
  private var rows: [String: [Int64]] = [:]
  private var exactLiterals: [String: Bool] = [:]

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func integer(_ query: String) throws -> Int64 {
    if let known = integers[query] { return known }
    let integer = try connection.integer(query) ?? 0
    integers[query] = integer
    return integer
  }

  func firstRows(_ query: String) throws -> [Int64] {
    if let known = rows[query] { return known }
    let statement = try connection.prepare("\(query) LIMIT \(RowNames.most + 1)")
    defer { statement.reset() }
    var found: [Int64] = []
    while try statement.step() { found.append(statement.column(0).integer) }
    rows[query] = found
    return found
  }

  func reads(_ literal: String, as value: Double) throws -> Bool {
    if let known = exactLiterals[literal] { return known }
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
  /// A planner for the database as it is now: it is asked before rows are written.
  package init(_ connection: SQLiteConnection) {
    self.init(catalogue: Catalogue(connection: connection), rows: StoredRows(connection))
  }
}
