extension PostgreSQLConnection {
  /// Removes a statement that the connection has prepared. If that fails, the statement stays until
  /// the connection is closed.
  package func deallocate(_ statement: PostgreSQLStatement) {
    guard prepared.remove(statement.number) != nil, transactionState != .failed else { return }
    _ = try? execute("DEALLOCATE \(statement.name)")
  }
}
