package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

extension PostgreSQLDatabase {
  package var assets: (any AssetStore)? { assetStore }

  // MARK: Handles

  package func release() async {
    guard !lifecycle.isForked, context.leases.removeHandle(isClosing: true) else { return }
    await closeConnections()
  }

  package func releaseWithoutWaiting(isClosing: Bool) {
    guard !lifecycle.isForked, context.leases.removeHandle(isClosing: isClosing) else { return }
    closeConnectionsWithoutWaiting()
  }

  package func releaseLease() {
    guard !lifecycle.isForked, context.leases.removeLease() else { return }
    closeConnectionsWithoutWaiting()
  }

  /// Does nothing, because this engine holds no locks of files.
  package func suspend() {}
  package func resume() {}

  // MARK: Observers

  package func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    feed.add(observer, owner: owner)
    guard !lifecycle.isForked, let publisher = context.publisher else { return }
    // The publisher waits for the end of running transactions.
    publisher.start(canWait: (try? checkNotReentrant()) != nil)
  }

  // MARK: Maintenance

  package func maintaining<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try body(CancellationToken())
  }

  @available(*, noasync)
  package func maintainingBlocking<Result>(
    _ body: (CancellationToken) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try body(CancellationToken())
  }

  /// Checks what the server does not enforce, on a connection of its own, because the check may take
  /// long.
  package func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    let connection = try Self.connect(settings, context)
    defer { connection.close() }
    _ = try translatingErrors {
      try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    }
    var verification = Verification(connection, limit: limit, cancellation)
    return try verification.run()
  }

  @available(*, noasync)
  package func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    MagicReport()
  }

  @available(*, noasync)
  package func prepareForSharing(isCopy: Bool, _ cancellation: CancellationToken) throws {
    throw MagicError.unsupported("copies on other devices")
  }

  package func backUp(
    to path: String, allowsMissingAssets: Bool, compacts: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws {
    throw MagicError(
      .invalidOption, "A database of PostgreSQL has no file to copy. Use pg_dump or pg_basebackup.")
  }

  /// Does nothing, because the server reclaims free space.
  @available(*, noasync)
  package func compact(
    _ cancellation: CancellationToken, progress: @escaping (MagicCompactionProgress) -> Void
  ) throws -> MagicCompaction {
    progress(MagicCompactionProgress(pagesDone: 0, pageCount: 0))
    return MagicCompaction(bytesBefore: 0, bytesAfter: 0)
  }
}
