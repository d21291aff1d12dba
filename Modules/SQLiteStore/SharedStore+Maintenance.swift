package import MagicEngine
import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteMaintenance
import SQLiteTables

extension SharedStore {
  /// Runs a task on the entire database, on a separate thread. Suspends until it gets a permit.
  package func maintaining<Result: Sendable>(
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result {
    try await maintaining(in: permits, body)
  }

  /// - Parameter permits: the permits of this kind of task.
  func maintaining<Result: Sendable>(
    in permits: Semaphore, _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await translatingErrorsAsync {
      try await permits.withPermit {
        let cancellation = CancellationToken()
        return try await withTaskCancellationHandler {
          try await FileThreads.run { try self.run(body, cancellation) }
        } onCancel: {
          cancellation.cancel()
        }
      }
    }
  }

  /// The same as ``maintaining(_:)`` on this thread, which blocks until it gets a permit.
  @available(*, noasync)
  package func maintainingBlocking<Result>(
    _ body: (CancellationToken) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try translatingErrors {
      try permits.withPermitBlocking { try run(body, CancellationToken()) }
    }
  }

  private func run<Result>(
    _ body: (CancellationToken) throws -> Result, _ cancellation: CancellationToken
  ) throws -> Result {
    do {
      return try tasks.run(cancellation) { cancellation in
        try cancellation.check()
        let result = try translatingErrors { try body(cancellation) }
        try lifecycle.checkNotForked()
        return result
      }
    } catch {
      // An interrupted statement throws another error than the cancellation.
      guard cancellation.isCancelled else { throw error }
      throw cancellation.reason
    }
  }

  /// The parts of the database that a task on the entire database needs.
  var maintenance: MaintenanceContext {
    get throws {
      let source: MaintenanceContext.Source =
        if let makeReader {
          .file(makeReader: makeReader, writer: writer)
        } else {
          .memory(try requireWriter())
        }
      return MaintenanceContext(
        of: source, files: files, busyTimeout: busyTimeout, snapshots: snapshots, reentrancy: self)
    }
  }
}

extension SharedStore {
  /// Verifies the entire database.
  package func verify(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    try Verification.run(of: try maintenance, limit: max(1, limit), cancellation)
  }

  /// Repairs the database in a separate transaction. A second attempt follows if search
  /// indexes are wrong.
  @available(*, noasync)
  package func repair(limit: Int, _ cancellation: CancellationToken) throws -> MagicReport {
    var found: Repair.FoundWrongIndexes?
    while true {
      do {
        return try write(timeout: busyTimeout, isLarge: true) { [found] in
          try Repair.run(in: $0, after: found, limit: max(1, limit), cancellation)
        }
      } catch let error as Repair.FoundWrongIndexes {
        found = error
      }
    }
  }

  /// Prepares the database for sharing, in a separate transaction.
  @available(*, noasync)
  package func prepareForSharing(isCopy: Bool, _ cancellation: CancellationToken) throws {
    try write(timeout: busyTimeout, isLarge: true) {
      try SharingPreparation.run(in: $0, isCopy: isCopy, cancellation)
    }
  }

  /// Copies the database and its assets to a new file.
  package func backUp(
    to path: String, allowsMissingAssets: Bool, compacts: Bool, _ cancellation: CancellationToken,
    progress: @escaping (MagicBackupProgress) -> Void
  ) throws {
    _ = try Backup.run(
      of: try maintenance, to: path, allowsMissingAssets: allowsMissingAssets, compacts: compacts,
      cancellation, progress)
  }
}
