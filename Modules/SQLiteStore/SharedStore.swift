import Dispatch
package import MagicEngine
import MagicRuntime
package import MagicSQLite
import MagicSchema
import SQLiteChanges
package import SQLiteEngine
package import SQLiteFiles
import SQLiteMigration
import SQLiteTables

/// The connections of one database, shared by all handles on its file.
package final class SharedStore: Sendable {
  /// The connection that writes; nil for a read-only database.
  package let writer: ConnectionPool<StoreConnection>?
  let readers: ConnectionPool<StoreConnection>?
  /// Creates a connection that reads; nil for a database in memory, which has only one connection.
  let makeReader: (@Sendable () throws -> SQLiteConnection)?
  package let token: StoreToken
  /// How long to wait for a lock of another process, in seconds.
  package let busyTimeout: Double
  /// Determines which calls the database admits.
  package let lifecycle: StoreLifecycle
  let leases: StoreLeases
  let teardown: WriterTeardown

  // MARK: Files

  /// The entry of the database file; nil for a database in memory.
  let file: DatabaseEntry?
  /// Whether the database is deleted when it is closed.
  private let isPrivate: Bool
  /// A directory that is released with this store.
  private let directory: PrivateDirectory?
  package let files: StoreFiles
  let snapshots = OpenSnapshots()
  /// The snapshots that readers hold between reads.
  let held: HeldSnapshots
  /// The rows that readers have looked up by primary; nil if none are cached.
  let cache: RowCache?
  /// Nil for a read-only database.
  let log: CheckpointPolicy?
  /// Nil for a read-only database.
  let freePages: FreePagePolicy?

  // MARK: Work

  let commits: CommitQueue
  let executor = WriteExecutor()
  /// The queue on which commits wait for the disk, so that no thread of the cooperative pool is
  /// blocked.
  let commitThread = DispatchQueue(label: "MagicData.commit", qos: .userInitiated)
  private let state: Mutex<State>
  /// The running tasks on the entire database. A suspension cancels them.
  let tasks = RunningTasks()
  /// Permits of reads of the entire database. Closing waits for these reads.
  let permits = Semaphore(limit: 2)
  /// The permit of a migration.
  let migrationPermits = Semaphore(limit: 1)

  // MARK: Changes

  /// Publishes the commits of all stores on the file.
  package let feed: ChangeFeed
  /// Detects commits to a read-only database; nil for others.
  let probe: DataVersionProbe?

  private struct State: Sendable {
    var durability: MagicOptions.Durability
    /// The number of writes that tasks have called and that have not ended.
    var writesInFlight = 0
    /// The moving average of the duration of a commit, in nanoseconds.
    var commitTime: UInt64 = 0
    var isTokenRegistered = false
  }

  init(
    writer: SQLiteConnection?, readers makeReader: (@Sendable () throws -> SQLiteConnection)?,
    options: MagicOptions, files: StoreFiles, directory: PrivateDirectory?, file: DatabaseEntry?,
    token: StoreToken, record: LogRecord? = nil,
    reopening: (@Sendable () throws -> SQLiteConnection)? = nil
  ) throws(SQLiteError) {
    self.files = files
    let (lifecycle, feed) = (StoreLifecycle(), file?.feed ?? ChangeFeed())
    let leases = StoreLeases(lifecycle)
    (self.lifecycle, self.feed, self.leases) = (lifecycle, feed, leases)
    commits = CommitQueue(lifecycle)
    probe = writer == nil ? makeReader.map { DataVersionProbe(lifecycle, $0) } : nil
    held = HeldSnapshots(time: options.heldSnapshotTime)
    // A database in memory has no log, and only one connection.
    cache = makeReader == nil ? nil : RowCache(size: options.rowCacheSize)
    let (snapshots, held) = (snapshots, held)
    let log = try writer.map { writer throws(SQLiteError) in
      try CheckpointPolicy(
        watching: writer, limit: options.snapshotLimit, snapshots: snapshots, held: held,
        record: record)
    }
    self.log = log
    let freePages = writer.map {
      FreePagePolicy(watching: $0, minimumSize: options.minimumFreeSpace)
    }
    self.freePages = freePages
    let owners = TableOwners(isReadOnly: options.readOnly)
    let context = StoreContext(
      token: token, owners: owners, snapshots: snapshots,
      files: files, diagnostics: options.diagnostics.map { Diagnostics($0) }, leases: leases,
      lifecycle: lifecycle, migrator: OnDemandMigrator(), cache: cache,
      postponingMinimum: options.postponingMinimum)
    let teardown = WriterTeardown(
      files: files, lifecycle: lifecycle, log: log, freePages: freePages, removing: directory)
    self.teardown = teardown
    self.writer = writer.map {
      ConnectionPool(
        having: StoreConnection($0, in: context, hook: feed.makeRecorder(on: $0, owners)),
        end: { teardown.end($0) }
      ) {
        guard let reopening else { throw SQLiteError.closed() }
        let connection = try reopening()
        log?.watch(connection)
        freePages?.watch(connection)
        let recorder = feed.makeRecorder(on: connection, owners)
        return StoreConnection(connection, in: context, hook: recorder)
      }
    }
    readers = makeReader.map { Self.makeReaders($0, limit: options.readers, in: context, held) }
    self.makeReader = makeReader
    busyTimeout = options.busyTimeout
    state = Mutex(State(durability: options.durability))
    isPrivate = directory != nil
    self.directory = options.directory
    self.file = file
    self.token = token
    leases.setDatabase(self)
    OpenDatabases.shared.register(self)
    if self.writer != nil { feed.publishPendingExternalChanges() }
  }

  deinit {
    guard !lifecycle.isForked else { return }
    OpenDatabases.shared.unregister(token, ObjectIdentifier(self))
  }

  /// Returns the writer, or throws for a read-only database.
  func requireWriter() throws -> ConnectionPool<StoreConnection> {
    guard let writer else { throw MagicError.readOnly() }
    return writer
  }

  // MARK: Durability

  var durability: MagicOptions.Durability { state.withLock { $0.durability } }

  /// Uses at least this durability from the next write on.
  func strengthen(_ wanted: MagicOptions.Durability) {
    if wanted == .full { files.strengthen() }
    state.withLock {
      if SQLiteConfiguration.Durability(wanted) > SQLiteConfiguration.Durability($0.durability) {
        $0.durability = wanted
      }
    }
  }

  /// Whether a commit waits for the disk.
  var isDurable: Bool { durability == .full && file != nil }

  // MARK: Writes

  /// Counts a running write, before it waits for anything. The caller calls ``didWrite()`` at the
  /// end.
  func willWrite() { state.withLock { $0.writesInFlight += 1 } }

  func didWrite() { state.withLock { $0.writesInFlight -= 1 } }

  /// Whether a commit may run on the current thread: it does not wait for the disk, or its wait is
  /// shorter than the time to switch threads and no other write could join the next commit
  /// meanwhile.
  var commitsInPlace: Bool {
    let (isAlone, time) = state.withLock { ($0.writesInFlight <= 1, $0.commitTime) }
    return !isDurable || isAlone && time < Self.longestCommitInPlace
  }

  /// In nanoseconds. Two switches of threads take a tenth of this time.
  private static let longestCommitInPlace: UInt64 = 500_000

  /// Records the duration of a commit, in nanoseconds.
  func noteCommitTime(_ time: UInt64) {
    state.withLock { $0.commitTime = $0.commitTime - $0.commitTime / 8 + time / 8 }
  }

  /// Records the token under the database's identifier, which exists after the first save, so that
  /// the database has the same token when it is opened again.
  func registerToken(on writer: StoreConnection) {
    // A database in a private directory is never opened again. If the identifier cannot be read
    // now, it is read after the next save.
    guard let file, !isPrivate, !state.withLock({ $0.isTokenRegistered }),
      let database = try? Catalogue(connection: writer.connection).databaseIdentifier()
    else { return }
    DatabaseRegistry.shared.setToken(token, of: file.identity, database: database)
    state.withLock { $0.isTokenRegistered = true }
  }
}
