extension AsyncMagicDatabase {
  /// Creates a session: objects to save and to delete, which one transaction stores.
  public func session() -> MagicSession { MagicSession(.store(_store.store)) }
}

extension MagicObjectStore {
  /// Creates a session: objects to save and to delete, which one transaction stores.
  public func session() -> MagicSession { MagicSession(.store(self)) }
}

extension AsyncMagicDatabaseWriter {
  /// Runs the body with a session in a transaction. When the body returns, its work is stored. If
  /// the body throws, everything is rolled back.
  ///
  /// ```swift
  /// let count = try await magic.withSession { session in
  ///   session.add(Person(name: "Cleo"), Song(title: "Two"))
  ///   try session.flush()
  ///   return try session.query(Person.self).count()
  /// }
  /// ```
  ///
  /// As in `transaction(_:)`, the body does not suspend, and other writes wait for it.
  ///
  /// - Returns: the result of the body.
  /// - Throws: the errors of the body, `MagicError`, or `CancellationError` if the task was
  ///   cancelled before the commit. Nothing is stored then.
  @discardableResult
  public func withSession<Result: Sendable>(
    _ body: @Sendable (borrowing MagicTransactionSession) throws -> Result
  ) async throws -> Result {
    try await transaction { try $0.runSession(body) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `withSession(_:)`, but blocks the thread. Inside a transaction it is a
  /// savepoint: if the body throws, only the work of this session is rolled back.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func withSession<Result>(
    _ body: (borrowing MagicTransactionSession) throws -> Result
  ) throws -> Result {
    try transaction { try $0.runSession(body) }
  }
}

extension MagicTransaction {
  fileprivate func runSession<Result>(
    _ body: (borrowing MagicTransactionSession) throws -> Result
  ) throws -> Result {
    let session = MagicTransactionSession(context)
    defer { session.end() }
    let result = try body(session)
    try session.flush()
    return result
  }
}
