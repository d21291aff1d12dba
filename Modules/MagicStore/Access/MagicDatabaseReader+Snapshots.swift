extension AsyncMagicDatabaseReader {
  /// Runs several reads on one snapshot of the database. Concurrent writes do not affect it.
  ///
  /// ```swift
  /// let (people, count) = try await magic.read { snapshot in
  ///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
  /// }
  /// ```
  ///
  /// The body does not suspend. The first read of the body takes the snapshot. While the snapshot
  /// is open, a checkpoint cannot empty the write-ahead log. If the log grows beyond the option
  /// `snapshotLimit`, the snapshot is closed: the running read and later reads throw. A body that
  /// makes no more reads returns normally.
  ///
  /// If a read uses a table that must be migrated first, the table is migrated and the body runs
  /// again. The result or error of the earlier run is discarded.
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
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func read<Result>(_ body: (borrowing MagicSnapshot) throws -> Result) throws -> Result {
    try _read { try $0.reader.run(body) }
  }
}
