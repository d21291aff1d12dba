package import MagicEngine
package import MagicSQLite
import MagicSchema
import SQLiteEngine
package import SQLiteTables

/// Records what transactions change, on the connection that writes, as long as there are observers.
///
/// What a body changes is ``collect()``ed when it has run. Until then all of it is in a temporary
/// table, which a savepoint rolls back too: so what is rolled back is not published.
package final class ChangeRecorder: CommitHook {
  let connection: SQLiteConnection
  let feed: ChangeFeed
  let owners: TableOwners
  /// The tables that have triggers, in the order of their numbers.
  @exclusivity(unchecked) var observed: [TableTriggers] = []
  /// Those that have or had them in the running body: a savepoint that is rolled back restores
  /// triggers, and the rows that they enter have the table's number.
  @exclusivity(unchecked) var known: [TableTriggers] = []
  var nextNumber = TableTriggers.shapes + 1
  @exclusivity(unchecked) var wanted = RecordingScope()
  var isReady = false
  @exclusivity(unchecked) var hasShapes = false
  /// Whether triggers were created or dropped in the open transaction.
  @exclusivity(unchecked) var isUncommitted = false
  /// Whether it is unknown which triggers there are.
  @exclusivity(unchecked) var isUncertain = false
  var schemaVersion: Int64?
  @exclusivity(unchecked) private var changesBefore = 0
  @exclusivity(unchecked) var hasRunUserSQL = false
  /// Tables that SQLite takes no triggers for: each write may have changed them.
  var blind: Set<String> = []
  /// The file's version as this connection has left or seen it.
  @exclusivity(unchecked) private var version: UInt32?
  @exclusivity(unchecked) private var hasBegun = false
  private var isOpen = true
  private let willClose: () -> Void

  /// What is recorded.
  var filter: ObservationFilter { wanted.filter?.value ?? ObservationFilter() }

  /// Whether anything is.
  var isObserving: Bool { wanted.filter != nil }

  /// - Parameter willClose: is called before the connection checks for external commits a last time.
  package init(
    _ connection: SQLiteConnection, feed: ChangeFeed, owners: TableOwners,
    willClose: @escaping () -> Void
  ) {
    self.connection = connection
    self.feed = feed
    self.owners = owners
    self.willClose = willClose
    feed.add(writer: ObjectIdentifier(self))
    // What is committed from now on is seen as such, also by a first write that waits for it.
    checkForExternalCommits()
  }

  deinit { feed.remove(writer: ObjectIdentifier(self)) }

  // MARK: Transactions

  func didBegin(_ version: UInt32?) {
    // The triggers that an earlier one created may be rolled back with it.
    if isUncommitted { isUncertain = true }
    isUncommitted = false
    hasBegun = true
    note(version)
  }

  func willRun() throws {
    if isUncertain || feed.generation != wanted.generation { try updateScope() }
    // Of a body that was rolled back nothing is left.
    if known.count != observed.count { known = observed }
    if connection.isTouched { _ = connection.takeTouched() }
    hasShapes = false
    changesBefore = connection.totalChanges
    hasRunUserSQL = false
  }

  /// Whether the running body may have written: rows, or tables alone by the user's SQL, which SQLite
  /// does not count.
  var mayHaveWritten: Bool { connection.totalChanges != changesBefore || hasRunUserSQL }

  func didRun() throws -> RecordedBody {
    let changes = try collect().map(CommittedChanges.Shared.init)
    return RecordedBody(
      changes: changes, scope: wanted.filter, generation: wanted.generation,
      hasWritten: mayHaveWritten)
  }

  func didCommit(_ version: UInt32?) {
    (isUncommitted, hasBegun) = (false, false)
    self.version = version
  }

  func publish(_ recorded: RecordedBody) {
    let changes = recorded.changes as? CommittedChanges.Shared
    feed.publish(changes?.value, known: RecordingScope(of: recorded))
  }

  // A rollback may look like another process's commit; a version that is seen while no transaction
  // could be begun is one.
  func didRollBack() {
    if hasBegun { version = connection.dataVersion }
    hasBegun = false
  }

  // MARK: Other processes

  func checkForExternalCommits() {
    guard let look = try? connection.cachedStatement("PRAGMA data_version") else { return }
    defer { look.reset() }
    guard (try? look.step()) == true else { return }
    look.reset()
    note(connection.dataVersion)
  }

  private func note(_ version: UInt32?) {
    let known = self.version
    self.version = version
    guard let known, known != version else { return }
    feed.publishExternal()
    // It may have changed tables.
    if isObserving, (try? connection.schemaVersion()) != schemaVersion { isUncertain = true }
  }

  /// Releases the compiled statements. From now on the probes of other stores detect external commits.
  func close() {
    if isOpen {
      isOpen = false
      willClose()
      checkForExternalCommits()
      feed.remove(writer: ObjectIdentifier(self))
    }
    for table in known { table.close() }
    (observed, known) = ([], [])
  }
}
