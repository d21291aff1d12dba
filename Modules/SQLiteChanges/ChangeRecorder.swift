package import MagicEngine
package import MagicSQLite
import MagicSchema
import SQLiteEngine
package import SQLiteTables

/// Records the changes of transactions on the connection that writes, while there are observers.
///
/// A body is the closure of one write call. Several bodies may run in one transaction, each in its
/// own savepoint. Temporary triggers record the rows that each body changes, with digests of their old
/// values; ``collect()`` compares them with the current rows after the body has run. So changes of a
/// savepoint that was rolled back are not published. Of a table without a type no values are recorded:
/// it counts as changed even then.
package final class ChangeRecorder: CommitHook {
  let connection: SQLiteConnection
  let feed: ChangeFeed
  let owners: TableOwners
  /// The tables that have triggers, ordered by their numbers.
  @exclusivity(unchecked) var observed: [TableTriggers] = []
  /// The tables that have or had triggers during the running body. A savepoint that is rolled back
  /// restores dropped triggers, and the rows that these insert contain the table's number.
  @exclusivity(unchecked) var known: [TableTriggers] = []
  var nextNumber = 1
  @exclusivity(unchecked) var scope = RecordingScope()
  /// The rows that the triggers record; nil until there are triggers.
  @exclusivity(unchecked) var touched: TouchedRows?
  @exclusivity(unchecked) var hasSchemaChanges = false
  /// Whether triggers were created or dropped in the open transaction.
  @exclusivity(unchecked) var isUncommitted = false
  /// Whether the recorder does not know which triggers exist.
  @exclusivity(unchecked) var isUncertain = false
  var schemaVersion: Int64?
  @exclusivity(unchecked) private var changesBefore = 0
  @exclusivity(unchecked) var hasRunUserSQL = false
  /// Tables on which SQLite cannot create triggers: each write may have changed them.
  var tablesWithoutTriggers: Set<String> = []
  /// The file's data version after the last commit of this connection, or as it was last read.
  @exclusivity(unchecked) private var version: UInt32?
  @exclusivity(unchecked) private var hasBegun = false
  private var isOpen = true
  private let willClose: () -> Void

  /// The filter of the changes that are recorded.
  var filter: ObservationFilter { scope.filter?.value ?? ObservationFilter() }

  /// Whether any changes are recorded.
  var isObserving: Bool { scope.filter != nil }

  /// - Parameter willClose: called before the connection checks for external commits for the last
  ///   time.
  package init(
    _ connection: SQLiteConnection, feed: ChangeFeed, owners: TableOwners,
    willClose: @escaping () -> Void
  ) {
    self.connection = connection
    self.feed = feed
    self.owners = owners
    self.willClose = willClose
    feed.add(writer: ObjectIdentifier(self))
    // Reads the current data version, so that every later external commit is detected, even one
    // that the first write has to wait for.
    checkForExternalCommits()
  }

  deinit { feed.remove(writer: ObjectIdentifier(self)) }

  // MARK: Transactions

  func didBegin(_ version: UInt32?) {
    // The triggers that an earlier transaction created may have been rolled back with it.
    if isUncommitted { isUncertain = true }
    isUncommitted = false
    hasBegun = true
    note(version)
  }

  func willRun() throws {
    if isUncertain || feed.generation != scope.generation { try updateScope() }
    // The triggers of a body that was rolled back no longer exist.
    if known.count != observed.count { known = observed }
    if let touched, !touched.isEmpty { touched.removeAll() }
    hasSchemaChanges = false
    changesBefore = connection.totalChanges
    hasRunUserSQL = false
  }

  /// Whether the running body may have written. SQLite counts changed rows, but not schema changes
  /// by the user's SQL.
  var mayHaveWritten: Bool { connection.totalChanges != changesBefore || hasRunUserSQL }

  func didRun() throws -> RecordedBody {
    // Frees the memory of a large write.
    defer { touched?.removeAll() }
    let changes = try collect().map(CommittedChanges.Shared.init)
    return RecordedBody(
      changes: changes, scope: scope.filter, generation: scope.generation,
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

  // A rollback can change the data version as an external commit does, so the version is read
  // again. If no transaction had begun, the data version can differ only because of an external
  // commit, which is reported later.
  func didRollBack() {
    touched?.removeAll()
    if hasBegun { version = connection.dataVersion }
    hasBegun = false
  }

  // MARK: Other processes

  func checkForExternalCommits() {
    guard let statement = try? connection.cachedStatement("PRAGMA data_version") else { return }
    defer { statement.reset() }
    guard (try? statement.step()) == true else { return }
    statement.reset()
    note(connection.dataVersion)
  }

  private func note(_ version: UInt32?) {
    let known = self.version
    self.version = version
    guard let known, known != version else { return }
    feed.publishExternal()
    // The external commit may have changed the schema.
    if isObserving, (try? connection.schemaVersion()) != schemaVersion { isUncertain = true }
  }

  /// Releases the compiled statements. After this call the probes of other observers detect external
  /// commits.
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
