/// Transactions.
extension PostgreSQLConnection {
  /// Commits the transaction. A commit is never cancelled: after a cancellation, the server reports
  /// success although a standby may not have the transaction.
  ///
  /// - Parameters:
  ///   - last: a statement that runs in the transaction, in the same round trip.
  ///   - next: a statement that runs after it, in the same round trip.
  /// - Returns: the result of the last statement.
  /// - Throws: ``PostgreSQLError``: with `.uncertain` if the connection was lost before the answer,
  ///   or if no standby has confirmed the transaction; else it was rolled back.
  @discardableResult
  package func commit(
    after last: String? = nil, then next: String? = nil
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    try finishDeferred()
    guard transactionState == .open else {
      throw PostgreSQLError(.refused, "The transaction has failed.", sqlState: "25P02")
    }
    _ = takeUnconfirmed()
    let result: PostgreSQLResult
    do {
      result = try execute([last, "COMMIT", next].compactMap(\.self).joined(separator: "; "))
    } catch let error where error.kind == .connectionLost {
      var uncertain = PostgreSQLError(.uncertain, error.message, sqlState: error.sqlState)
      uncertain.sql = error.sql
      throw uncertain
    }
    guard !takeUnconfirmed() else {
      throw PostgreSQLError(
        .uncertain, "The transaction was committed, but no standby has confirmed it.")
    }
    return result
  }

  /// Rolls the transaction back. Does nothing without a transaction, or if the connection is lost.
  package func rollBack() {
    // Their errors have no effect on what is rolled back.
    _ = Result { try finishDeferred() }
    switch transactionState {
    case .none, .lost: return
    case .open, .failed:
      do {
        try execute("ROLLBACK")
      } catch {
        // The server rolls back the transaction when the connection ends.
        close()
      }
    }
  }
}
