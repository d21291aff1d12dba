package import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteSearch
import SQLiteTables

/// Verifies an entire database on one snapshot, and changes nothing.
///
/// An error in a file is checked again in the present state of the database, because files are
/// created and deleted while the snapshot stays the same.
package final class Verification {
  let store: MaintenanceContext
  let connection: SQLiteConnection
  let cancellation: CancellationToken
  /// The maximum number of findings of each kind.
  let limit: Int
  private var report = MagicReport()
  private var counts: [MagicFinding.Kind: Int] = [:]
  /// A connection without an open snapshot.
  private var presentConnection: SQLiteConnection?

  private init(
    of store: MaintenanceContext, _ connection: SQLiteConnection, limit: Int,
    _ cancellation: CancellationToken
  ) {
    self.store = store
    self.connection = connection
    self.limit = limit
    self.cancellation = cancellation
  }

  deinit { presentConnection?.close() }

  package static func run(
    of store: MaintenanceContext, limit: Int, _ cancellation: CancellationToken
  ) throws -> MagicReport {
    do {
      return try store.withOwnConnection(cancellation) { connection in
        let verification = Verification(of: store, connection, limit: limit, cancellation)
        try connection.begin(.deferred)
        // In a damaged database, the commit of a transaction that has written nothing may fail too.
        defer { connection.rollBack() }
        try verification.run()
        return verification.report
      }
    } catch let error as SQLiteError where error.isDamage {
      // The file is so damaged that no connection can be opened.
      var report = MagicReport()
      report.findings = [MagicFinding(.damage, "The file cannot be read: \(error.message).")]
      return report
    }
  }

  private func run() throws {
    try attempt { try checkPages() }
    try attempt { try checkReferences() }
    try attempt {
      for fault in try PropertyDescriptions(on: connection).faults() { note(fault) }
    }
    try attempt {
      let names = try ReferencedFiles(on: connection)
      for finding in names.wrongColumns { note(finding) }
      try checkRows(names)
      // Without the uncounted files, valid files would be reported as orphans.
      guard let uncounted = try checkCounts(names) else { return markIncomplete() }
      try checkFolder(isCounted: names.isCounted, except: uncounted)
    }
    try attempt { try checkVectors() }
    try attempt { try checkCollations() }
    // The last part, because an error of a damaged index can end the transaction.
    try attempt { try checkSearchIndexes() }
  }

  /// Records a finding.
  ///
  /// - Returns: whether further findings of this kind are recorded.
  @discardableResult
  func note(_ finding: MagicFinding) -> Bool {
    let count = counts[finding.kind, default: 0]
    counts[finding.kind] = count + 1
    if count < limit { report.findings.append(finding) } else { markIncomplete() }
    return count < limit
  }

  /// Marks the report as incomplete, because a finding was left out or something could not be
  /// checked.
  func markIncomplete() { report.isComplete = false }

  /// Runs a part of the verification. If damage ends it, that is recorded as a finding, and the
  /// other parts continue.
  func attempt(table: String? = nil, _ body: () throws -> Void) throws {
    do {
      try cancellation.check()
      try body()
    } catch let error as SQLiteError where error.lacksLocalizedCollation {
      // The indexes have another order, which is a finding of its own.
      markIncomplete()
    } catch let error as SQLiteError where error.isDamage || error.code == .error {
      note(
        MagicFinding(
          .damage, "This part of the verification failed: \(error.message).", table: table))
    }
  }

  /// Calls the body with each row of a statement.
  func forEachRow(_ sql: String, _ body: (SQLiteStatement) throws -> Bool) throws {
    let statement = try connection.prepare(sql)
    defer { statement.reset() }
    while try statement.step() {
      try cancellation.check()
      guard try body(statement) else { return }
    }
  }

  /// Returns a connection to the present state of the database. A database in memory is not written
  /// during the verification.
  func openPresentConnection() throws -> SQLiteConnection {
    guard case .file(let makeReader, _) = store.source else { return connection }
    if let presentConnection { return presentConnection }
    let opened = try makeReader()
    presentConnection = opened
    return opened
  }
}

extension SQLiteError {
  /// Whether the error reports a damaged file.
  var isDamage: Bool { code == .corrupt || code == .notADatabase }
}
