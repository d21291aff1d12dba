import Foundation
package import MagicEngine
import MagicPostgreSQL
import MagicRuntime
package import MagicSchema
import PostgreSQLSearch
package import PostgreSQLTables

/// A database of PostgreSQL.
///
/// One connection writes, and several connections read. The transactions of a process run one after
/// the other, because they share its objects. Those of several processes run at the same time, see
/// ``WriteMode``.
package final class PostgreSQLDatabase: EngineDatabase {
  let context: EngineContext
  let settings: PostgreSQLSettings
  let assetStore: PostgreSQLAssets
  let migrator: (any TableMigrator)?
  let readers: ResourcePool<PooledConnection>
  let writer: ResourcePool<PooledConnection>
  let replica: Replica?
  let sharedWrites = SharedWrites()
  let sharedReads = SharedReads()
  let generation = ConnectionGeneration()

  /// The mode of the transactions that the current task starts, in place of that of the settings.
  @TaskLocal package static var transactionMode: WriteMode?

  /// Connects to the server, and creates the library's own tables.
  ///
  /// - Parameters:
  ///   - migrator: migrates outdated tables; nil to refuse migrations.
  ///   - publisher: creates what publishes the commits of all processes to observers.
  /// - Throws: `MagicError` with `.cannotOpen`, `.newerFormat` or `.readOnly`.
  package init(
    _ settings: PostgreSQLSettings, _ migrator: (any TableMigrator)? = nil,
    publisher: (PublisherContext) throws -> (any CommitPublisher)? = { _ in nil }
  ) throws {
    self.migrator = migrator
    context = try Self.prepare(settings)
    self.settings = settings
    let (context, generation) = (self.context, self.generation)
    let open: @Sendable () throws -> PostgreSQLConnection = {
      try Self.connect(settings, context)
    }
    readers = ResourcePool(limit: settings.readers) { PooledConnection(generation, open: open) }
    writer = ResourcePool(limit: 1) { PooledConnection(generation, open: open) }
    replica = settings.replica.map { Replica($0, settings, context) }
    assetStore = PostgreSQLAssets(
      context.staging, ResourcePool(limit: 2) { PooledConnection(generation, open: open) },
      settings, generation)
    context.setPublisher(
      try translatingErrors { try publisher(PublisherContext(context, settings, replica)) })
    context.leases.setDatabase(self)
    context.leases.addHandle()
    OpenDatabases.shared.register(self)
  }

  deinit { OpenDatabases.shared.unregister(token, ObjectIdentifier(self)) }

  package var token: StoreToken { context.token }
  package var feed: ChangeFeed { context.feed }
  package var lifecycle: StoreLifecycle { context.lifecycle }
  package var diagnostics: Diagnostics? { context.diagnostics }
  package var isReadOnly: Bool { settings.isReadOnly }
}

// MARK: - Reads

extension PostgreSQLDatabase {
  package func reading<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    if let replica, let read = try await readingOn(replica, body) { return read.result }
    var retries = Retries(settings)
    // The engine looks for in-place changes of the calling task while it runs a body, and the task
    // that leads is another one.
    if OwnChanges.current == nil {
      do {
        if let result = try await sharing(body) { return result }
      } catch {
        try await wait(&retries, after: error)
      }
    }
    while true {
      do {
        try Task.checkCancellation()
        if retries.readsAlone {
          return try await writingAlone(.exclusiveSnapshot) { try body($0.reader) }
        }
        return try await withConnection(of: readers) { try self.read(on: $0, body) }
      } catch {
        try await wait(&retries, after: error)
      }
    }
  }

  @available(*, noasync)
  package func readBlocking<Result>(
    _ body: (any EngineReader) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    var retries = Retries(settings)
    while true {
      do {
        if retries.readsAlone {
          return try writeBlocking(.exclusiveSnapshot) { try body($0.reader) }
        }
        return try withConnectionBlocking(of: readers) { try read(on: $0, body) }
      } catch {
        try waitBlocking(&retries, after: error)
      }
    }
  }

  /// - Parameter lookUp: the answer to the statement of the body, if it was sent before.
  func read<Result>(
    on place: PooledConnection, lookUp: PostgreSQLReader.LookUp = .alone,
    _ body: (any EngineReader) throws -> Result
  ) throws -> Result {
    let session = try session(of: place)
    if case .alone = lookUp { try checkMigrations(session) }
    let reader = PostgreSQLReader(session, lookUp: lookUp)
    let result: Result
    do {
      result = try markingCall { try body(reader) }
    } catch let error as MagicError where error.isCausedByMigration {
      // The tables are checked again, which reports whether the type is outdated.
      session.forgetTypes()
      result = try markingCall { try body(reader) }
    }
    try context.checkMayContinue()
    return result
  }
}

// MARK: - Attempts

extension PostgreSQLDatabase {
  /// Returns the update of a table or of search indexes without which an attempt has failed, for a
  /// transaction while no other one writes, and the mode of this transaction; nil for another error.
  private func update(
    after error: any Error, _ retries: inout Retries
  ) -> (mode: WriteMode, run: @Sendable (any EngineTransaction) throws -> Void)? {
    switch error {
    case let required as MigrationRequired:
      return (
        migrationMode,
        {
          let transaction = $0 as? PostgreSQLTransaction
          // Another program may have dropped an index that the session knows.
          transaction?.session.search.forget()
          try $0.updateTable(of: required.schema)
          try transaction?.updateSearchIndexes(of: [required.schema])
        }
      )
    case let outdated as OutdatedSearchIndexes:
      retries.noteUpdate()
      return (
        .exclusive,
        { try ($0 as? PostgreSQLTransaction)?.updateSearchIndexes(of: outdated.schemas) }
      )
    default: return nil
    }
  }

  /// Waits for the next attempt of a call, or updates what it needs.
  ///
  /// - Throws: the error, if there is no other attempt.
  func wait(_ retries: inout Retries, after error: any Error) async throws {
    if let update = update(after: error, &retries) {
      return try await writingAlone(update.mode, update.run)
    }
    let delay = try retries.delay(after: error)
    if delay > 0 { try await Task.sleep(nanoseconds: delay) }
  }

  /// The same as ``wait(_:after:)``, by blocking the thread.
  @available(*, noasync)
  func waitBlocking(_ retries: inout Retries, after error: any Error) throws {
    if let update = update(after: error, &retries) {
      return try writeBlocking(update.mode, update.run)
    }
    let delay = try retries.delay(after: error)
    if delay > 0 { Thread.sleep(forTimeInterval: Double(delay) / 1e9) }
  }
}
