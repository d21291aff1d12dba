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

  /// Looks up a row by its primary on the thread of the caller.
  public nonisolated func _findRow(
    _ lookUp: _MagicRowLookUp, _ addPrimary: (borrowing _MagicReadAccess) throws -> Void
  ) throws -> _MagicRowLookUp.Result {
    try Task.checkCancellation()
    try store.checkOpen()
    return _MagicRowLookUp.Result(
      try store.database.findRow(lookUp.lookUp) { try addPrimary(_MagicReadAccess($0)) })
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
