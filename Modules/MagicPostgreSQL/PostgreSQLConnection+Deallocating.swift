extension PostgreSQLConnection {
  /// Removes statements that the connection has prepared, with one message. If that fails outside a
  /// transaction, they are removed one by one, and those that cannot be removed stay until the
  /// connection is closed.
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
    let removals = statements.filter { prepared.remove($0.number) != nil }
      .map { "DEALLOCATE \($0.name)" }
    guard !removals.isEmpty else { return true }
    do {
      _ = try execute(removals.joined(separator: "; "))
    } catch {
      guard transactionState != .failed else { throw error }
      // The server ignores the rest of a message after an error.
      for removal in removals where !isLost { _ = try? execute(removal) }
    }
    return true
  }
}
