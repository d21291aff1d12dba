extension AsyncMagicDatabaseReader {
  /// Runs several reads on one snapshot of the database, whatever is written meanwhile.
  ///
  /// ```swift
  /// let (people, count) = try await magic.read { snapshot in
  ///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
  /// }
  /// ```
  ///
  /// The body does not suspend. The snapshot is of the moment of its first read. From then on it
  /// keeps the write-ahead log from being emptied; one that makes it grow beyond the option
  /// `snapshotLimit` is taken away: the read that is running and later ones throw, and a body that
  /// has read all it needs returns as usual. Where a type's table must be migrated first, the body
  /// runs again, whatever it returned or threw.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `MagicError`, with `.snapshotTooOld` for a snapshot that was
  ///   taken away, or `CancellationError`.
  public func read<Result: Sendable>(
    _ body: @Sendable (borrowing MagicSnapshot) throws -> Result
  ) async throws -> Result {
    try await _read { try $0.reader.run(body) }
  }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// As the asynchronous `read(_:)`, but blocks the thread. Inside a transaction the reads see
  /// what it has written.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func read<Result>(_ body: (borrowing MagicSnapshot) throws -> Result) throws -> Result {
    try _read { try $0.reader.run(body) }
  }
}
