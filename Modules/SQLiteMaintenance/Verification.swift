package import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables

/// A check of a whole database on one snapshot. Nothing is changed.
///
/// What looks wrong with a file is looked at again in the present state, as files come and go while
/// the snapshot stays.
package final class Verification {
  let store: MaintenanceContext
  let connection: SQLiteConnection
  let cancellation: CancellationToken
  /// So many findings of each kind at most.
  let limit: Int
  private var report = MagicReport()
  private var counts: [MagicFinding.Kind: Int] = [:]
  /// A connection that is on no snapshot.
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
        // Of a damaged database even a transaction that wrote nothing may refuse to be committed.
        defer { connection.rollBack() }
        try verification.run()
        return verification.report
      }
    } catch let error as SQLiteError where error.isDamage {
      // So damaged that no connection can be opened.
      var report = MagicReport()
      report.findings = [MagicFinding(.damage, "The file cannot be read: \(error.message).")]
      return report
    }
  }

  private func run() throws {
    try attempt { try checkPages() }
    try attempt { try checkReferences() }
    try attempt {
      let names = try ReferencedFiles(on: connection)
      for finding in names.wrongColumns { note(finding) }
      try checkRows(names)
      // Without them, whole files would look like orphans.
      guard let uncounted = try checkCounts(names) else { return leaveOut() }
      try checkFolder(isCounted: names.isCounted, except: uncounted)
    }
  }

  /// Notes a finding.
  ///
  /// - Returns: whether others of its kind are wanted.
  @discardableResult
  func note(_ finding: MagicFinding) -> Bool {
    let count = counts[finding.kind, default: 0]
    counts[finding.kind] = count + 1
    if count < limit { report.findings.append(finding) } else { leaveOut() }
    return count < limit
  }

  /// Something was found, or could not be looked at, that the report does not show.
  func leaveOut() { report.isComplete = false }

  /// Runs a part of the check. One that damage ends is a finding, and the others go on.
  func attempt(table: String? = nil, _ body: () throws -> Void) throws {
    do {
      try cancellation.check()
      try body()
    } catch let error as SQLiteError where error.isDamage || error.code == .error {
      note(MagicFinding(.damage, "The check ended here: \(error.message).", table: table))
    }
  }

  /// The rows of a statement that begins at its first.
  func forEachRow(_ sql: String, _ body: (SQLiteStatement) throws -> Bool) throws {
    let statement = try connection.prepare(sql)
    defer { statement.reset() }
    while try statement.step() {
      try cancellation.check()
      guard try body(statement) else { return }
    }
  }

  /// The database as it is by now. One in memory is not written meanwhile.
  func present() throws -> SQLiteConnection {
    guard case .file(let makeReader, _) = store.source else { return connection }
    if let presentConnection { return presentConnection }
    let made = try makeReader()
    presentConnection = made
    return made
  }
}

extension SQLiteError {
  /// Whether the file is not what SQLite has written.
  var isDamage: Bool { code == .corrupt || code == .notADatabase }
}
