import MagicGraph

extension AsyncMagicDatabaseWriter {
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
  /// it saved or removed are what they were before, z-indexes and auto-incremented primaries
  /// included; values that were set stay set, and stay marked as changed.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `MagicError`, or `CancellationError` where the task was
  ///   cancelled before the commit. Nothing is stored then.
  @discardableResult
  public func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing MagicTransaction) throws -> Result
  ) async throws -> Result {
    try await _write(isRepeatable: false) { try $0.objects.run(body) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// As the asynchronous `transaction(_:)`, but blocks the thread. Inside another transaction it
  /// is a savepoint, whose own work alone is rolled back.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func transaction<Result>(
    _ body: (borrowing MagicTransaction) throws -> Result
  ) throws -> Result {
    try _write { try $0.objects.run(body) }
  }
}
