package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine
import SQLiteFiles
import SQLiteTables

extension SharedStore {
  /// Creates the pool of the readers, which hold snapshots between reads.
  static func makeReaders(
    _ make: @escaping @Sendable () throws -> SQLiteConnection, limit: Int,
    in context: StoreContext, _ held: HeldSnapshots
  ) -> ConnectionPool<StoreConnection> {
    let readers = ConnectionPool<StoreConnection>(limit: limit, end: { $0.close() }) {
      let connection = try make()
      connection.holdSnapshots(maximumPause: held.maximumPause)
      return StoreConnection(connection, in: context)
    }
    held.connect { [weak readers] turn in
      readers?.forEachIdle {
        $0.connection.holdsSnapshot(exceptIn: turn)
      } _: {
        $0.connection.discardHeldSnapshot()
      }
      var isHeld = false
      readers?.forEach { if $0.connection.holdsSnapshot { isHeld = true } }
      return isHeld
    }
    return readers
  }

  package var cacheStatistics: MagicCacheStatistics {
    // Another thread of the parent process may have had a lock.
    guard let cache, !lifecycle.isForked else { return MagicCacheStatistics() }
    return cache.statistics
  }

  /// The number of connections that read, in use or not.
  package var readerCount: Int { readers?.count ?? 0 }

  /// Runs a read. Outdated tables are migrated first.
  package func reading<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await read(body)
      } catch let required as MigrationRequired {
        try await migrate(required.schema)
      }
    }
  }

  /// Runs the body with a reader. Suspends while all readers are in use.
  private func read<Result>(
    _ body: (any EngineReader) throws -> Result
  ) async throws -> Result {
    let pool = try readers ?? requireWriter()
    let connection: StoreConnection
    // Usually a reader is free, and the call does not suspend.
    if let free = try translatingErrors({ try pool.tryTake() }) {
      connection = free
    } else {
      connection = try await translatingErrorsAsync { try await pool.take() }
    }
    defer { pool.give(connection) }
    return try translatingErrors { try run(on: connection) { try body($0) } }
  }

  package func findRow(
    _ lookUp: RowLookUp, _ addPrimary: (any EngineReader) throws -> Void
  ) throws -> RowLookUp.Result {
    guard cache != nil, let readers, let connection = readers.takeIdle() else { return .unknown }
    defer { readers.give(connection) }
    defer { connection.parameters.removeAll() }
    try addPrimary(connection)
    do {
      return try connection.findRow(lookUp) { read in
        try translatingErrors { try run(on: connection) { _ in try read() } }
      }
    } catch is MigrationRequired {
      return .unknown
    }
  }

  /// Runs a read. Outdated tables are migrated first. Blocks the thread while all readers are in
  /// use.
  @available(*, noasync)
  package func readBlocking<Result>(
    _ body: (any EngineReader) throws -> Result
  ) throws -> Result {
    try retryingAfterMigration {
      try withBlocking(readers ?? requireWriter()) { try body($0) }
    } migrate: {
      _ = try migrateBlocking([$0], backup: nil) { _ in }
    }
  }

  /// Runs the body with the writer. Blocks the thread while the writer is in use.
  ///
  /// - Throws: what the body throws, or `MagicError`; `.nestedCall` for the same reason as
  ///   `checkNotReentrant()`.
  @available(*, noasync, message: "suspend instead of blocking: use reading")
  package func readOnWriter<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try withBlocking(requireWriter(), body)
  }

  @available(*, noasync)
  @inline(__always)
  private func withBlocking<Result>(
    _ pool: ConnectionPool<StoreConnection>, _ body: (StoreConnection) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try translatingErrors {
      try pool.withConnectionBlocking { try run(on: $0, body) }
    }
  }

  @inline(__always)
  private func run<Result>(
    on connection: StoreConnection, _ body: (StoreConnection) throws -> Result
  ) throws -> Result {
    try lifecycle.replacingInterrupts {
      try held.prepareRead(on: connection.connection)
      do {
        let result = try withReentrancyGuard { try body(connection) }
        try lifecycle.checkMayContinue()
        return result
      } catch {
        connection.connection.discardHeldSnapshot()
        throw error
      }
    }
  }

  /// Migrates the table of a type that a read or a write needs.
  func migrate(_ schema: ObjectSchema) async throws {
    _ = try await migrating([schema], backup: nil) { _ in }
  }
}
