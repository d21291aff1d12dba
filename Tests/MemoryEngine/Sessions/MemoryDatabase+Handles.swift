package import MagicEngine
import MagicFiles
package import MagicSchema

extension MemoryDatabase {
  package var assets: (any AssetStore)? { nil }
  package var isReadOnly: Bool { false }

  // MARK: Handles

  package func release() async {
    await writesEnded()
    releaseWithoutWaiting(isClosing: true)
  }

  package func releaseWithoutWaiting(isClosing: Bool) {
    guard !lifecycle.isForked else { return }
    _ = leases.removeHandle(isClosing: isClosing)
  }

  package func releaseLease() { _ = leases.removeLease() }

  /// Does nothing, because this engine holds no locks of files.
  package func suspend() {}
  package func resume() {}

  // MARK: Observers

  package func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    feed.add(observer, owner: owner)
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

  package func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    MagicReport()
  }

  @available(*, noasync)
  package func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    MagicReport()
  }

  @available(*, noasync)
  package func prepareForSharing(isCopy: Bool, _ cancellation: CancellationToken) throws {
    throw MagicError(.invalidOption, "A database in memory has no copies on other devices.")
  }

  package func backUp(
    to path: String, allowsMissingAssets: Bool, compacts: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws {
    throw MagicError(.invalidOption, "A database in memory has no file to copy.")
  }

  /// Does nothing, because this engine has no file.
  @available(*, noasync)
  package func compact(
    _ cancellation: CancellationToken, progress: @escaping (MagicCompactionProgress) -> Void
  ) throws -> MagicCompaction {
    progress(MagicCompactionProgress(pagesDone: 0, pageCount: 0))
    return MagicCompaction(bytesBefore: 0, bytesAfter: 0)
  }

  // MARK: Migration

  // A table always has the schema that its type declares, because both exist until the process
  // ends.

  package func migrating(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan { try plan(backup) }

  @available(*, noasync)
  package func migrateBlocking(
    _ schemas: [ObjectSchema], backup: String?,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws -> MagicMigrationPlan { try plan(backup) }

  private func plan(_ backup: String?) throws -> MagicMigrationPlan {
    guard backup == nil else {
      throw MagicError(
        .invalidOption, "A database in memory cannot be backed up before a migration.")
    }
    return MagicMigrationPlan(steps: [])
  }
}
