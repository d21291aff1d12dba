public import MagicStore

// The API methods are extensions of these protocols.

extension MagicData: ObservableMagicDatabase {
  /// The store that registers observers.
  public nonisolated var _observation: _MagicObservationAccess { _MagicObservationAccess(store) }
}

extension MagicData: AsyncMagicDatabaseWriter {
  /// Runs a read.
  public nonisolated func _read<Result: Sendable>(
    _ body: @Sendable (borrowing _MagicReadAccess) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    try store.checkOpen()
    return try await store.database.reading { try body(_MagicReadAccess($0)) }
  }

  /// Runs a lookup of a row in memory. Returns nil if the row is not in memory.
  public nonisolated func _readCached<Result>(
    _ body: (borrowing _MagicReadAccess) throws -> Result?
  ) throws -> Result? {
    try Task.checkCancellation()
    try store.checkOpen()
    return try store.database.withIdleReader { try body(_MagicReadAccess($0)) }
  }

  /// Runs a write as one atomic unit. ``close()`` waits for it.
  public nonisolated func _write<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (borrowing _MagicWriteAccess) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    try store.willWrite()
    defer { store.didWrite() }
    return try await store.database.writing(isRepeatable: isRepeatable) {
      try body(_MagicWriteAccess($0))
    }
  }
}
