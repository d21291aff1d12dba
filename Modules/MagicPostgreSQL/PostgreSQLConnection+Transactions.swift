import CPostgreSQL

/// Transactions.
extension PostgreSQLConnection {
  private static let begin = PostgreSQLStatement(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", runsOnce: true)
  private static let end = PostgreSQLStatement("ROLLBACK", runsOnce: true)

  /// Begins a transaction that reads one snapshot. The server gets it with the first statement, in the
  /// same round trip.
  package func beginSnapshot() throws(PostgreSQLError) {
    guard !mustNotWait else { throw .mustNotWait() }
    try runLater(Self.begin)
  }

  /// Ends the transaction of ``beginSnapshot()`` without waiting for the answer of the server, which is
  /// read before the next statement.
  package func endSnapshot() {
    guard deferred.isEmpty, deferredCopy == nil, transactionState == .open else {
      return rollBack()
    }
    cancellation?.beginRollback()
    defer { cancellation?.endProtection() }
    do {
      try runLater(Self.end)
      guard magic_PQpipelineSync(try open()) == 1 else { throw connectionError(sql: nil) }
      hasEndedPipeline = true
    } catch {
      rollBack()
    }
  }

  /// Commits the transaction. A commit is never cancelled: after a cancellation, the server reports
  /// success although a standby may not have the transaction.
  ///
  /// - Parameters:
  ///   - last: a statement that runs in the transaction, in the same round trip.
  ///   - next: a query that runs after it, in the same round trip. Its errors have no effect on the
  ///     commit.
  /// - Returns: the result of the query; nil if there is none, or if it has failed.
  /// - Throws: ``PostgreSQLError``: with `.uncertain` if the connection was lost before the answer, if
  ///   the answer has not arrived in time, or if no standby has confirmed the transaction; else it was
  ///   rolled back, or can only be rolled back.
  @discardableResult
  package func commit(
    after last: String? = nil, then next: String? = nil
  ) throws(PostgreSQLError) -> PostgreSQLResult? {
    try finishDeferred()
    // The caller would commit without the rows of a COPY.
    if let error = takeDeferredError() { throw error }
    try cancellation?.beginCommit()
    do throws(PostgreSQLError) {
      guard transactionState == .open else {
        throw PostgreSQLError(.refused, "The transaction has failed.", sqlState: "25P02")
      }
      _ = takeUnconfirmed()
      let sql = [last, "COMMIT", next].compactMap(\.self).joined(separator: "; ")
      try sendUnchecked(sql)
      let result = try resultOfCommit(sql)
      guard !takeUnconfirmed() else {
        throw PostgreSQLError(
          .uncertain, "The transaction was committed, but no standby has confirmed it.")
      }
      return result
    } catch {
      cancellation?.endProtection()
      guard error.kind == .connectionLost else { throw error }
      var uncertain = PostgreSQLError(.uncertain, error.message, sqlState: error.sqlState)
      uncertain.sql = error.sql
      throw uncertain
    }
  }

  /// Reads the results of a commit and of the query after it.
  ///
  /// - Throws: the error before the result of the COMMIT. Later errors are those of the query.
  private func resultOfCommit(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult? {
    let end = commitMilliseconds.map { Self.time(after: $0) }
    var (isCommitted, next): (Bool, PostgreSQLResult?) = (false, nil)
    var failure: PostgreSQLError?
    while failure == nil || !isLost {
      guard waitForResult(until: end) else {
        // The server continues to commit. It must not get a request to cancel, so the connection is lost.
        close()
        if isCommitted { return nil }
        throw overdue(sql)
      }
      guard let pointer = magic_PQgetResult(try open()) else { break }
      let result = PostgreSQLResult(pointer)
      switch Int(magic_PQresultStatus(pointer)) {
      case magic_result_command_ok:
        if result.command == "COMMIT" { isCommitted = true }
      case magic_result_tuples_ok, magic_result_empty_query:
        if isCommitted { next = result }
      default:
        if failure == nil { failure = failed(pointer, sql) }
      }
    }
    if isCommitted { return next }
    throw failure ?? connectionError(sql: sql)
  }

  private func overdue(_ sql: String) -> PostgreSQLError {
    var error = PostgreSQLError(
      .uncertain, "The server has not answered the commit in time. It may still be committing.")
    error.isOverdue = true
    error.sql = sql
    return error
  }

  /// Begins a savepoint. The server gets it with the next statement, in the same round trip.
  ///
  /// - Parameter last: a savepoint to release before.
  package func beginSavepoint(
    _ savepoint: String, releasing last: String?
  ) throws(PostgreSQLError) {
    for sql in [last.map { "RELEASE \($0)" }, "SAVEPOINT \(savepoint)"].compactMap(\.self) {
      try runLater(PostgreSQLStatement(sql, runsOnce: true))
    }
  }

  /// Rolls back to a savepoint, and removes it.
  package func restore(_ savepoint: String) throws(PostgreSQLError) {
    try execute("ROLLBACK TO \(savepoint); RELEASE \(savepoint)")
  }

  /// Rolls the transaction back. Does nothing without a transaction, or if the connection is lost.
  package func rollBack() {
    // Their errors have no effect on what is rolled back.
    _ = Result { try finishDeferred() }
    deferredError = nil
    switch transactionState {
    case .none, .lost: return
    case .open, .failed:
      cancellation?.beginRollback()
      defer { cancellation?.endProtection() }
      do {
        try sendUnchecked("ROLLBACK")
        _ = try onlyResult("ROLLBACK")
      } catch {
        // The server rolls back the transaction when the connection ends.
        close()
      }
    }
  }
}
