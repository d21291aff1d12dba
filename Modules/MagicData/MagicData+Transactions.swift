public import MagicStore

extension MagicData {
  /// Runs the body in a transaction: what it writes is stored together when it returns, durably
  /// when the call returns, or not at all when it throws.
  ///
  /// ```swift
  /// try await magic.transaction { transaction in
  ///   let person = try transaction.object(of: Person.self, primary: id)
  ///   person.age += 1
  ///   try transaction.update(person)
  /// }
  /// ```
  ///
  /// The body does not suspend; other writes wait for it, reads do not. After a throw the objects
  /// it saved or removed are what they were before, z-indexes and counted primaries included; values
  /// that were set stay set, and stay marked as changed.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `MagicError`, or `CancellationError` where the task was
  ///   cancelled before the commit. Nothing is stored then.
  @discardableResult
  public nonisolated func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing MagicTransaction) throws -> Result
  ) async throws -> Result {
    try await writing(isRepeatable: false) { try $0.run(body) }
  }

  /// Runs several reads on one snapshot of the database, whatever is written meanwhile.
  ///
  /// ```swift
  /// let (people, count) = try await magic.read { snapshot in
  ///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
  /// }
  /// ```
  ///
  /// The body does not suspend. The snapshot is of the moment of its first read. From then on it
  /// keeps the write-ahead log from being emptied; one that makes it grow beyond
  /// ``MagicOptions/snapshotLimit`` is taken away: the read under way and later ones throw, and a
  /// body that has read all it wants returns as ever. Where a type's table must be changed first, the
  /// body runs again, whatever it returned or threw.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `MagicError`, with `.snapshotTooOld` for a snapshot that was
  ///   taken away, or `CancellationError`.
  public nonisolated func read<Result: Sendable>(
    _ body: @Sendable (borrowing MagicSnapshot) throws -> Result
  ) async throws -> Result {
    try await reading { try $0.run(body) }
  }
}

extension MagicData: ObservableDatabase {
  /// What observers are entered into.
  public nonisolated var _observation: ObservationAccess { ObservationAccess(store) }
}

extension MagicData: AsyncDatabaseWriter {
  /// Runs a read.
  public nonisolated func _read<Result: Sendable>(
    _ body: @Sendable (borrowing ReadAccess) throws -> Result
  ) async throws -> Result {
    try await reading { try body(ReadAccess($0)) }
  }

  /// Runs a write: all of it or nothing.
  public nonisolated func _write<Result: Sendable>(
    _ body: @Sendable (borrowing WriteAccess) throws -> Result
  ) async throws -> Result {
    try await writing { try body(WriteAccess($0)) }
  }
}
