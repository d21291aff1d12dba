import MagicFiles
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteMaintenance
import SQLiteTables

extension SharedStore {
  /// Runs work on the whole database on a thread of its own. Suspends until it is permitted.
  ///
  /// - Parameter permits: the permits of the kind of work; nil for work that reads the whole database.
  func maintaining<Result: Sendable>(
    in permits: Semaphore? = nil,
    _ body: @escaping @Sendable (CancellationToken) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await mappingAsync {
      try await (permits ?? self.permits).withPermit {
        let cancellation = CancellationToken()
        return try await withTaskCancellationHandler {
          try await FileThreads.run { try self.run(body, cancellation) }
        } onCancel: {
          cancellation.cancel()
        }
      }
    }
  }

  /// Like ``maintaining(_:)`` on this thread, which blocks until it is permitted.
  @available(*, noasync, message: "suspend instead of blocking: use maintaining")
  func maintainingBlocking<Result>(
    _ body: (CancellationToken) throws -> Result
  ) throws -> Result {
    try checkNotReentrant()
    return try mapping {
      try permits.withPermitBlocking { try run(body, CancellationToken()) }
    }
  }

  private func run<Result>(
    _ body: (CancellationToken) throws -> Result, _ cancellation: CancellationToken
  ) throws -> Result {
    do {
      return try tasks.run(cancellation) { cancellation in
        try cancellation.check()
        let result = try mapping { try body(cancellation) }
        try lifecycle.checkNotForked()
        return result
      }
    } catch {
      // A statement that was interrupted for it says so in its own way.
      guard cancellation.isCancelled else { throw error }
      throw cancellation.reason
    }
  }

  /// What work on the whole database needs of it.
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
