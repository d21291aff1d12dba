extension AsyncMagicDatabaseReader {
  /// Runs several reads on one snapshot of the database. Concurrent writes do not affect it.
  ///
  /// ```swift
  /// let (people, count) = try await magic.read { snapshot in
  ///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
  /// }
  /// ```
  ///
  /// The body does not suspend. The snapshot is taken by the first read of the body. From then on
  /// it prevents the write-ahead log from being emptied. If the log grows beyond the option
  /// `snapshotLimit`, the snapshot is closed: the running read and later ones throw. A body that
  /// has completed all its reads by then returns normally. If the table of a type must be migrated
  /// first, the body runs again, whatever it returned or threw.
  ///
  /// - Returns: the result of the body.
  /// - Throws: the errors of the body; `MagicError`, with `.snapshotTooOld` for a snapshot that was
  ///   closed; `CancellationError`.
  public func read<Result: Sendable>(
    _ body: @Sendable (borrowing MagicSnapshot) throws -> Result
  ) async throws -> Result {
    try await _read { try $0.reader.run(body) }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Like the asynchronous `read(_:)`, but blocks the thread. Inside a transaction, the reads see
  /// the writes of the transaction.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func read<Result>(_ body: (borrowing MagicSnapshot) throws -> Result) throws -> Result {
    try _read { try $0.reader.run(body) }
  }
}
