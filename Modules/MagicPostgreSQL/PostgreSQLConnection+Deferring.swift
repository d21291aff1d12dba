import CPostgreSQL

/// Statements whose results are read later, so that many of them share a round trip.
extension PostgreSQLConnection {
  /// A statement that was sent, and the check of its result.
  struct Deferred {
    let statement: PostgreSQLStatement
    let isExpected: (PostgreSQLResult) -> Bool

    /// Creates the record of a statement; any result is expected if the closure is missing.
    init(
      _ statement: PostgreSQLStatement,
      isExpected: @escaping (PostgreSQLResult) -> Bool = { _ in true }
    ) {
      self.statement = statement
      self.isExpected = isExpected
    }
  }

  /// A COPY that runs in a savepoint.
  struct DeferredCopy {
    let sql: String
    /// The quoted name.
    let savepoint: String
  }

  /// Sends a statement. Its result is read before the next statement that is not deferred.
  ///
  /// - Parameter isExpected: whether a result is the one that the caller has assumed.
  package func runLater(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields? = nil,
    _ isExpected: @escaping (PostgreSQLResult) -> Bool = { _ in true }
  ) throws(PostgreSQLError) {
    if deferredCopy != nil || hasEndedPipeline { try finishDeferred() }
    try prepare(statement)
    let pointer = try open()
    let isFirst = deferred.isEmpty
    guard !isFirst || magic_PQenterPipelineMode(pointer) == 1 else {
      throw connectionError(sql: nil)
    }
    do {
      try send(statement, parameters)
    } catch {
      if isFirst, !isLost { _ = magic_PQexitPipelineMode(pointer) }
      throw error
    }
    deferred.append(Deferred(statement, isExpected: isExpected))
  }

  /// Reads the results of the deferred statements, or that of a deferred COPY. All calls that wait for the
  /// server begin with it.
  ///
  /// - Throws: ``PostgreSQLError`` of the first statement that failed, or with `.unexpected`.
  package func finishDeferred() throws(PostgreSQLError) {
    guard !mustNotWait else { throw .mustNotWait() }
    if let copy = deferredCopy { try finish(copy) }
    if !deferred.isEmpty { _ = try takeDeferred() }
  }

  /// Whether deferred statements wait for their results, and a statement can join them.
  func canDefer(_ statement: PostgreSQLStatement) -> Bool {
    !deferred.isEmpty && deferredCopy == nil && !hasEndedPipeline && !mustNotWait
      && isReady(statement)
  }

  /// Reads the results of the deferred statements, and returns the last one.
  func lastOfDeferred() throws(PostgreSQLError) -> PostgreSQLResult {
    let sent = deferred
    let results = try takeDeferred()
    guard let last = results.last, results.count == sent.count else {
      throw connectionError(sql: sent.last?.statement.sql)
    }
    return last
  }

  private func takeDeferred() throws(PostgreSQLError) -> [PostgreSQLResult] {
    let (sent, hasEnded) = (deferred, hasEndedPipeline)
    deferred.removeAll(keepingCapacity: true)
    hasEndedPipeline = false
    let pointer = try open()
    defer { if !isLost { _ = magic_PQexitPipelineMode(pointer) } }
    guard hasEnded || magic_PQpipelineSync(pointer) == 1 else { throw connectionError(sql: nil) }
    do {
      return try results(of: sent)
    } catch {
      guard hasEnded else { throw error }
      // The statements are of an earlier call, and its transaction may still be open.
      close()
      throw PostgreSQLError(.connectionLost, error.message, sqlState: error.sqlState)
    }
  }

  /// Reads the answer to the end of an earlier snapshot if it has arrived, without waiting.
  func takeArrivedEnd() {
    guard hasEndedPipeline, let pointer, magic_PQconsumeInput(pointer) == 1,
      magic_PQisBusy(pointer) == 0
    else { return }
    // An error closes the connection, which the next call notices.
    _ = Result { try takeDeferred() }
  }

  /// Reads the result of a deferred COPY. Its error is kept, because the call that waits is another one.
  private func finish(_ copy: DeferredCopy) throws(PostgreSQLError) {
    deferredCopy = nil
    do {
      _ = try onlyResult(copy.sql)
    } catch {
      guard transactionState == .failed else { throw error }
      try restore(copy.savepoint)
      deferredError = error
    }
  }

  /// Returns the error of the last deferred COPY, and forgets it.
  package func takeDeferredError() -> PostgreSQLError? {
    defer { deferredError = nil }
    return deferredError
  }
}
