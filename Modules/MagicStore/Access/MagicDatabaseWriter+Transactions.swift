import MagicGraph

extension AsyncMagicDatabaseWriter {
  /// Runs the body in a transaction. Its writes are stored together when the body returns, or
  /// rolled back when it throws. They are durable when the call returns.
  ///
  /// ```swift
  /// try await magic.transaction { transaction in
  ///   let person = try transaction.object(of: Person.self, primary: id)
  ///   person.age += 1
  ///   try transaction.update(person)
  /// }
  /// ```
  ///
  /// The body does not suspend. Other writes wait for the transaction. Reads do not wait. If the
  /// body throws, the objects that it saved or removed get their previous state, including row IDs
  /// and auto-incremented primaries. Values that the program has set are kept, and are still marked
  /// as changed.
  ///
  /// - Returns: the result of the body.
  /// - Throws: the errors of the body, `MagicError`, or `CancellationError` if the task was
  ///   cancelled before the commit. Nothing is stored then.
  @discardableResult
  public func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing MagicTransaction) throws -> Result
  ) async throws -> Result {
    try await _write(isRepeatable: false) { try $0.objects.run(body) }
  }
}

extension MagicDatabaseWriter where Self: ~Copyable {
  /// Like the asynchronous `transaction(_:)`, but blocks the thread. Inside another transaction it
  /// is a savepoint: if the body throws, only the writes of this body are rolled back.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func transaction<Result>(
    _ body: (borrowing MagicTransaction) throws -> Result
  ) throws -> Result {
    try _write { try $0.objects.run(body) }
  }
}
