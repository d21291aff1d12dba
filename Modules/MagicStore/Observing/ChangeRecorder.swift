import MagicSchema
import MagicSQLite

/// Takes down what transactions change, on the connection that writes, as long as somebody observes.
///
/// A write has three moments: it ``begin()``s a transaction, each body in it ``prepare()``s, and what
/// a body did is ``collect()``ed before the next one, or the commit. All that is known of a body lies
/// in a temporary table until then, so that what is rolled back is not told: a savepoint takes it
/// along.
final class ChangeRecorder {
  let connection: SQLiteConnection
  let feed: ChangeFeed
  let claims: TableClaims
  /// The tables that have triggers, in the order of their numbers.
  @exclusivity(unchecked) var observed: [ObservedTable] = []
  /// Those that have or had them in the body under way: a savepoint that is rolled back brings
  /// triggers back, and what they enter goes by the table's number.
  @exclusivity(unchecked) var known: [ObservedTable] = []
  var nextNumber = ObservedTable.shapes + 1
  @exclusivity(unchecked) var wanted = RecordedInterest()
  var isReady = false
  @exclusivity(unchecked) var hasShapes = false
  /// Whether triggers were made or dropped in the transaction under way.
  @exclusivity(unchecked) var isUncommitted = false
  /// Whether nobody knows which triggers there are.
  @exclusivity(unchecked) var isUncertain = false
  var schemaVersion: Int64?
  @exclusivity(unchecked) private var changesBefore = 0
  @exclusivity(unchecked) var hasRunForeignSQL = false
  /// Tables that SQLite takes no triggers for: each write may have changed them.
  var blind: Set<String> = []
  /// The file's version as this connection has left or seen it.
  @exclusivity(unchecked) private var version: UInt32?
  @exclusivity(unchecked) private var hasBegun = false
  private var isOpen = true

  /// What is taken down.
  var interest: ChangeInterest { wanted.interest?.value ?? ChangeInterest() }

  /// Whether anything is.
  var isObserving: Bool { wanted.interest != nil }

  init(_ connection: SQLiteConnection, feed: ChangeFeed, claims: TableClaims) {
    self.connection = connection
    self.feed = feed
    self.claims = claims
    feed.enter(writer: ObjectIdentifier(self))
    // What is committed from now on is seen as such, also by a first write that waits for it.
    lookForForeignCommits()
  }

  deinit { feed.leave(writer: ObjectIdentifier(self)) }

  // MARK: Transactions

  /// A transaction has begun.
  ///
  /// - Parameter version: of the file, as the connection sees it.
  func begin(_ version: UInt32?) {
    // What an earlier one made may be rolled back with it.
    if isUncommitted { isUncertain = true }
    isUncommitted = false
    hasBegun = true
    note(version)
  }

  /// A body is about to run, in the transaction that is open and outside of any savepoint.
  func prepare() throws {
    if isUncertain || feed.generation != wanted.generation { try lookForTables() }
    // Of a body that was rolled back nothing is left.
    if known.count != observed.count { known = observed }
    if connection.isTouched { _ = connection.takeTouched() }
    hasShapes = false
    changesBefore = connection.totalChanges
    hasRunForeignSQL = false
  }

  /// Whether the body under way may have written: rows, or by somebody else's SQL tables alone, which
  /// SQLite does not count.
  var mayHaveWritten: Bool { connection.totalChanges != changesBefore || hasRunForeignSQL }

  /// What is taken down of the body under way.
  var recorded: RecordedInterest {
    RecordedInterest(
      generation: wanted.generation, interest: wanted.interest,
      hasWritten: mayHaveWritten)
  }

  /// The transaction was committed, and has left a version of the file.
  func didCommit(_ version: UInt32?) {
    (isUncommitted, hasBegun) = (false, false)
    self.version = version
  }

  /// Tells who observes of a transaction that was committed.
  func publish(_ transaction: WriteTransaction) {
    feed.publish(transaction.changes?.value, known: transaction.recorded)
  }

  /// The transaction was rolled back, which may look like another process's commit; what is seen
  /// while none could be begun is one.
  func didRollBack() {
    if hasBegun { version = connection.dataVersion }
    hasBegun = false
  }

  // MARK: Other processes

  /// Looks whether another process has committed, outside of a transaction.
  func lookForForeignCommits() {
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

  /// Lets go of what is compiled. From now on look-outs look for other processes.
  func close() {
    if isOpen {
      isOpen = false
      feed.noteInLookOuts()
      lookForForeignCommits()
      feed.leave(writer: ObjectIdentifier(self))
    }
    for table in known { table.close() }
    (observed, known) = ([], [])
  }
}
