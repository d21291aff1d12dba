import CMagicRuntime
import Dispatch
import MagicRuntime
package import MagicSQLite
package import MagicSchema
import SQLiteChanges
import SQLiteEngine
import SQLiteFiles
import SQLiteMigration
import SQLiteTables

/// The connections of one database, shared by all handles on its file.
package final class SharedStore: @unchecked Sendable {
  /// The connection that writes; nil for a database that is only read.
  package let writer: ConnectionPool<StoreConnection>?
  let readers: ConnectionPool<StoreConnection>?
  /// Makes a connection that reads; nil for a database in memory, which has one alone.
  let makeReader: (@Sendable () throws -> SQLiteConnection)?
  /// Running work on the whole database, which suspending ends.
  let tasks = RunningTasks()
  /// Of reads of the whole database; closing waits for them.
  let permits = Semaphore(limit: 2)
  /// Of migrations.
  let migrationPermits = Semaphore(limit: 1)
  package let files: StoreFiles
  let snapshots = OpenSnapshots()
  /// Nil where nothing is written.
  private let log: CheckpointPolicy?
  let ending: WriterTeardown
  /// How long a lock of another process is waited for, in seconds.
  package let busyTimeout: Double
  private let state = Lock()
  private var durability: StoreOptions.Durability
  private let isPrivate: Bool
  /// What ends with this store.
  private let directory: PrivateDirectory?
  let key: StoreRegistry.Key?
  /// Publishes the commits of all stores on the file.
  let feed: ChangeFeed
  /// Of a database that is only read, what detects commits of other processes.
  let probe: DataVersionProbe?
  let leases = StoreLeases<SharedStore>()
  let lifecycle = StoreLifecycle()
  package let token: StoreToken
  private var isTokenRemembered = false
  private var writesUnderWay = 0
  /// Whether SQLite has met damage in the file since it was opened.
  private var isDamaged = false
  /// A moving average; for who has the writer.
  private var usualCommitTime: UInt64 = 0
  let gate = WriteGate()
  package let commits = CommitQueue()
  /// Where commits wait for the disk, so that no thread of the cooperative pool does.
  let commitThread = DispatchQueue(label: "MagicData.commit", qos: .userInitiated)

  init(
    writer: SQLiteConnection?, readers makeReader: (@Sendable () throws -> SQLiteConnection)?,
    options: StoreOptions, files: StoreFiles, directory: PrivateDirectory?, key: StoreRegistry.Key?,
    token: StoreToken, record: LogRecord? = nil,
    reopening: (@Sendable () throws -> SQLiteConnection)? = nil
  ) throws(SQLiteError) {
    self.files = files
    let feed = key.map { ChangeFeeds.shared.feed(of: $0.file) } ?? ChangeFeed()
    self.feed = feed
    probe = writer == nil ? makeReader.map(DataVersionProbe.init) : nil
    let snapshots = snapshots
    let log = try writer.map { writer throws(SQLiteError) in
      try CheckpointPolicy(
        watching: writer, limit: options.snapshotLimit, snapshots: snapshots, record: record)
    }
    self.log = log
    let owners = TableOwners(isReadOnly: options.readOnly)
    let context = StoreContext(
      token: token, owners: owners, snapshots: snapshots,
      files: files, diagnostics: options.diagnostics.map { Diagnostics($0) }, leases: leases,
      lifecycle: lifecycle, migrator: OnDemandMigrator(),
      otherFiles: { LiveStores.shared.store($0)?.files })
    let ending = WriterTeardown(
      files: files, leases: leases, lifecycle: lifecycle, log: log, removing: directory)
    self.ending = ending
    self.writer = writer.map {
      ConnectionPool(
        having: StoreConnection($0, in: context, hook: feed.makeRecorder(on: $0, owners)),
        end: { ending.end($0) }
      ) {
        guard let reopening else { throw SQLiteError.closed() }
        let connection = try reopening()
        log?.watch(connection)
        let recorder = feed.makeRecorder(on: connection, owners)
        return StoreConnection(connection, in: context, hook: recorder)
      }
    }
    readers = makeReader.map { make in
      ConnectionPool(limit: options.readers, end: { $0.close() }) {
        StoreConnection(try make(), in: context)
      }
    }
    self.makeReader = makeReader
    busyTimeout = options.busyTimeout
    durability = options.durability
    isPrivate = directory != nil
    self.directory = options.directory
    self.key = key
    self.token = token
    leases.store = self
    LiveStores.shared.enter(self)
    if writer != nil { feed.publishPendingExternalChanges() }
    if isShared { ExternalChangePoller.shared.enter(self) }
  }

  deinit {
    guard !isForked else { return }
    LiveStores.shared.leave(token, ObjectIdentifier(self))
    ExternalChangePoller.shared.leave(ObjectIdentifier(self))
  }

  /// Runs the body with a reader. Suspends where all are in use.
  package func read<Result>(_ body: (StoreConnection) throws -> Result) async throws -> Result {
    try await mappingAsync {
      try await (readers ?? reachableWriter()).withConnection { connection in
        try lifecycle.explaining {
          let result = try owning { try body(connection) }
          try lifecycle.check()
          return result
        }
      }
    }
  }

  /// Runs the body with a reader. Blocks the thread where all are in use.
  ///
  /// - Throws: what the body throws, or `MagicError`; `.nestedCall` as ``refuseNested()`` does.
  @available(*, noasync, message: "suspend instead of blocking: use the asynchronous read")
  package func readBlocking<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try withBlocking(readers ?? reachableWriter(), body)
  }

  /// Runs the body with the writer. Blocks the thread while it is in use.
  ///
  /// - Throws: as ``readBlocking(_:)`` does.
  @available(*, noasync, message: "suspend instead of blocking: use the asynchronous read")
  package func readOnWriter<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try withBlocking(reachableWriter(), body)
  }

  @available(*, noasync)
  private func withBlocking<Result>(
    _ pool: ConnectionPool<StoreConnection>, _ body: (StoreConnection) throws -> Result
  ) throws -> Result {
    try refuseNested()
    return try mapping {
      try pool.withConnectionBlocking { connection in
        try lifecycle.explaining {
          let result = try owning { try body(connection) }
          try lifecycle.check()
          return result
        }
      }
    }
  }

  /// The writer, where there is one.
  func reachableWriter() throws -> ConnectionPool<StoreConnection> {
    guard let writer else {
      throw MagicError(.readOnly, "The database was opened for reading alone.")
    }
    return writer
  }

  /// Runs a body of somebody else's with a connection of the store, which this thread has. The
  /// body stays on its thread: it does not suspend.
  func owning<Result>(_ body: () throws -> Result) rethrows -> Result {
    let innermost = magic_thread_holding()
    var holding = magic_holding(store: address, outer: innermost.pointee)
    return try withUnsafeMutablePointer(to: &holding) { holding in
      innermost.pointee = holding
      defer { innermost.pointee = holding.pointee.outer }
      do {
        return try body()
      } catch {
        noteDamage(error)
        throw error
      }
    }
  }

  /// Takes down that the file is damaged, where an error says so. What is written to such a file may
  /// damage what is whole: it is read alone from then on, until it is opened anew.
  func noteDamage(_ error: any Error) {
    let cause = error as? SQLiteError ?? (error as? MagicError)?.cause as? SQLiteError
    // The content of a virtual table is its module's business.
    guard let cause, cause.code == .corrupt, cause.extendedCode >> 8 != 1 else { return }
    state.withLock { isDamaged = true }
  }

  /// The store that this thread reads from or writes to, where it is in the midst of that.
  package static var atHand: StoreToken? {
    magic_thread_holding().pointee.flatMap { LiveStores.shared.token(at: $0.pointee.store) }
  }

  /// Threads that block for a second connection while they have one could wait for each other, for
  /// ever; so none does, however many are free.
  ///
  /// - Throws: `MagicError` with `.nestedCall` where this thread has a connection of the store
  ///   already: a closure or a conversion of the user's called the store that called it;
  ///   `.changeInProgress` inside an in-place change that holds the lock of a property.
  func refuseNested() throws {
    try OwnChanges.refuseToWait()
    var next = magic_thread_holding().pointee
    while let holding = next {
      guard holding.pointee.store != address else {
        throw MagicError(.nestedCall, "The store was called from inside one of its own calls.")
      }
      next = holding.pointee.outer
    }
  }

  private var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Begins a transaction.
  ///
  /// - Parameter timeout: how long to block while another process has the file locked, in seconds.
  func begin(on connection: SQLiteConnection, timeout: Double) throws {
    guard !connection.isFileMoved else { throw MagicError.fileMoved() }
    let (asked, isDamaged) = state.withLock { (durability, self.isDamaged) }
    guard !isDamaged else { throw MagicError.damaged() }
    let wanted = SQLiteConfiguration.Durability(asked)
    if let applied = connection.durability, applied != wanted {
      try connection.setDurability(wanted)
    }
    connection.setBusyTimeout(timeout)
    try connection.begin(.immediate)
    guard !connection.isLogMoved else {
      connection.rollBack()
      throw MagicError.fileMoved()
    }
  }

  /// Notes that a task is about to write, before it waits for anything; ``endWriting()`` follows.
  package func beginWriting() { state.withLock { writesUnderWay += 1 } }

  package func endWriting() { state.withLock { writesUnderWay -= 1 } }

  /// Whether a commit may keep the thread it is on: it does not wait for the disk, or does so for
  /// less than a change of threads would cost, and nobody could join the next one meanwhile.
  var commitsInPlace: Bool {
    let isAlone = state.withLock { writesUnderWay <= 1 }
    return !isDurable || isAlone && usualCommitTime < Self.longestCommitInPlace
  }

  /// Whether a commit waits for the disk.
  private var isDurable: Bool { state.withLock { durability == .full && key != nil } }

  /// Whether another process can open the database.
  var isShared: Bool { key != nil }

  /// Nil for a database in memory.
  var file: DatabaseFile.Identity? { key?.file }

  /// Whether the store belongs to the process that this one was forked from.
  package var isForked: Bool { lifecycle.isForked }

  /// - Throws: `MagicError` with `.forked` in the child of a fork, before any lock is taken.
  package func refuseForked() throws {
    guard !isForked else { throw MagicError.forked() }
  }

  /// Whether nobody uses the store any more.
  var isClosed: Bool { leases.isClosed }

  /// In nanoseconds. Two changes of threads take a tenth of it.
  private static let longestCommitInPlace: UInt64 = 500_000

  /// Takes down how long a commit took, in nanoseconds.
  func noteCommitTime(_ time: UInt64) {
    usualCommitTime = usualCommitTime - usualCommitTime / 8 + time / 8
  }

  /// Called after a commit, before its caller is told.
  func didCommit(on writer: StoreConnection) {
    rememberToken(on: writer)
    if isDurable { log?.recordCommit(on: writer.connection) }
  }

  /// Empties the log after a commit, where it is time to.
  ///
  /// - Parameter mayWait: whether the thread may block for readers that keep it from that.
  func keepLogSmall(on writer: StoreConnection, mayWait: Bool) {
    log?.afterCommit(on: writer.connection, mayWait: mayWait)
  }

  /// Frees space in the log after writes for which the disk had none. May block for readers and for
  /// the disk.
  func freeLogSpace(after batch: CommitBatch) {
    guard batch.hasFilledDisk, !batch.writer.connection.isInTransaction else { return }
    log?.afterFullDisk(on: batch.writer.connection)
  }

  /// After the first save the database has an identifier, by which it is known when it is opened
  /// again.
  private func rememberToken(on writer: StoreConnection) {
    // A private directory's database is never opened again. An identifier that cannot be read now
    // is read after the next save.
    guard !isTokenRemembered, let key, !isPrivate,
      let database = try? Catalogue(connection: writer.connection).databaseIdentifier()
    else { return }
    StoreTokens.shared.remember(token, of: key.file, database: database)
    isTokenRemembered = true
  }

  /// Holds at least to a durability from the next write on.
  func strengthen(_ wanted: StoreOptions.Durability) {
    if wanted == .full { files.strengthen() }
    state.withLock {
      if SQLiteConfiguration.Durability(wanted) > SQLiteConfiguration.Durability(durability) {
        durability = wanted
      }
    }
  }
}
