import MagicSQLite
import SQLiteEngine
import SQLiteTables

extension SharedStore {
  /// The connections that read, in use or not.
  package var readerCount: Int { readers?.count ?? 0 }

  /// Runs a read. Outdated tables are migrated first.
  package func reading<Result: Sendable>(
    _ body: @Sendable (StoreConnection) throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await read(body)
      } catch let required as MigrationRequired {
        _ = try await migrating([required.schema])
      }
    }
  }

  /// Runs the body with a reader. Suspends where all are in use.
  package func read<Result>(_ body: (StoreConnection) throws -> Result) async throws -> Result {
    let pool = try readers ?? requireWriter()
    let connection: StoreConnection
    // Most often one is free: then the call suspends nowhere.
    if let free = try mapping({ try pool.tryTake() }) {
      connection = free
    } else {
      connection = try await mappingAsync { try await pool.take() }
    }
    defer { pool.give(connection) }
    return try mapping { try run(body, on: connection) }
  }

  /// Runs the body with a reader. Blocks the thread where all are in use.
  ///
  /// - Throws: what the body throws, or `MagicError`; `.nestedCall` as ``checkNotReentrant()`` does.
  @available(*, noasync, message: "suspend instead of blocking: use the asynchronous read")
  package func readBlocking<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try withBlocking(readers ?? requireWriter(), body)
  }

  /// Runs the body with the writer. Blocks the thread while it is in use.
  ///
  /// - Throws: as ``readBlocking(_:)`` does.
  @available(*, noasync, message: "suspend instead of blocking: use the asynchronous read")
  package func readOnWriter<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try withBlocking(requireWriter(), body)
  }

  @available(*, noasync)
  private func withBlocking<Result>(
    _ pool: ConnectionPool<StoreConnection>, _ body: (StoreConnection) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try mapping {
      try pool.withConnectionBlocking { try run(body, on: $0) }
    }
  }

  @inline(__always)
  private func run<Result>(
    _ body: (StoreConnection) throws -> Result, on connection: StoreConnection
  ) throws -> Result {
    try lifecycle.explaining {
      let result = try withReentrancyGuard { try body(connection) }
      try lifecycle.checkMayContinue()
      return result
    }
  }
}
