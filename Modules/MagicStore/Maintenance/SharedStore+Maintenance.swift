import MagicFiles
import MagicSchema
import MagicSQLite

extension SharedStore {
  /// Runs work on the whole database on a thread of its own. Suspends while others are at it.
  ///
  /// - Parameter turns: who takes turns; nil for those who read the whole database.
  func maintaining<Result: Sendable>(
    in turns: ReaderPool<MaintenanceTurn>? = nil,
    _ body: @escaping @Sendable (WorkCancellation) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let turns = turns ?? self.turns
    let turn = try await mappingAsync { try await turns.take() }
    defer { turns.give(turn) }
    let cancellation = WorkCancellation()
    return try await withTaskCancellationHandler {
      try await FileThreads.run { try self.heeding(cancellation, body) }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Like ``maintaining(_:)`` on this thread, which blocks while others are at it.
  @available(*, noasync, message: "suspend instead of blocking: use maintaining")
  func maintainingBlocking<Result>(
    _ body: (WorkCancellation) throws -> Result
  ) throws -> Result {
    try refuseNested()
    return try mapping {
      try turns.withReaderBlocking { _ in try heeding(WorkCancellation(), body) }
    }
  }

  private func heeding<Result>(
    _ cancellation: WorkCancellation, _ body: (WorkCancellation) throws -> Result
  ) throws -> Result {
    works.enter(cancellation)
    defer { works.leave(cancellation) }
    do {
      try cancellation.check()
      let result = try mapping { try body(cancellation) }
      try refuseForked()
      return result
    } catch {
      // A statement that was interrupted for it says so in its own way.
      guard cancellation.isCancelled else { throw error }
      throw cancellation.reason
    }
  }

  /// Runs the body with a connection that nobody else uses: one that reads and is made for it; of a
  /// database in memory the only one there is, so that others wait.
  func withOwnConnection<Result>(
    _ cancellation: WorkCancellation, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard let makeReader else {
      return try reachableWriter().withReaderBlocking { writer in
        try owning {
          try writer.connection.heeding({ cancellation.isCancelled }) {
            try body(writer.connection)
          }
        }
      }
    }
    let connection = try makeReader()
    defer { connection.close() }
    try connection.prepareForWholeReads()
    snapshots.beginWholeRead()
    defer { snapshots.endWholeRead() }
    return try connection.heeding({ cancellation.isCancelled }) { try body(connection) }
  }

  /// Removes files that could not be removed while the folder was held. Where somebody has the
  /// writer, the next commit does.
  func removeWaitingFiles() {
    guard let writer, let free = try? writer.tryTake() else { return }
    defer { writer.give(free) }
    free.files.remove([], on: free.connection, retrying: true)
  }
}
