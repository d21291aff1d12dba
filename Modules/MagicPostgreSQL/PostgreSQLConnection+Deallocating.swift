extension PostgreSQLConnection {
  /// Removes statements that the connection has prepared. If that fails outside a transaction, they stay
  /// until the connection is closed.
  ///
  /// - Returns: whether the statements were removed. The call does nothing in a failed transaction,
  ///   and while the thread must not wait for the server.
  /// - Throws: ``PostgreSQLError`` of a deferred statement, and one that ends the transaction.
  package func deallocate(
    _ statements: [PostgreSQLStatement]
  ) throws(PostgreSQLError) -> Bool {
    guard !mustNotWait, transactionState != .failed else { return false }
    // The errors of these are not those of the removal, which are ignored.
    try finishDeferred()
    for statement in statements where prepared.remove(statement.number) != nil {
      do {
        _ = try execute("DEALLOCATE \(statement.name)")
      } catch {
        guard transactionState != .failed else { throw error }
      }
    }
    return true
  }
}
