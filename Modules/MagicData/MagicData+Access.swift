public import MagicStore

// The API methods are extensions of these protocols.

extension MagicData: ObservableDatabase {
  /// The store that registers observers.
  public nonisolated var _observation: ObservationAccess { ObservationAccess(store) }
}

extension MagicData: AsyncDatabaseWriter {
  /// Runs a read.
  public nonisolated func _read<Result: Sendable>(
    _ body: @Sendable (borrowing ReadAccess) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    try store.checkOpen()
    return try await store.database.reading { try body(ReadAccess($0)) }
  }

  /// Runs a write as one atomic unit. ``close()`` waits for it.
  public nonisolated func _write<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (borrowing WriteAccess) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    try store.willWrite()
    defer { store.didWrite() }
    return try await store.database.writing(isRepeatable: isRepeatable) {
      try body(WriteAccess($0))
    }
  }
}
