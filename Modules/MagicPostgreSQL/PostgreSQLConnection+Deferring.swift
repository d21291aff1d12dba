import CPostgreSQL

/// Statements whose results are read later, so that many of them share a round trip.
extension PostgreSQLConnection {
  /// A statement that was sent, and the check of its result.
  struct Deferred {
    let statement: PostgreSQLStatement
    let isExpected: (PostgreSQLResult) -> Bool
  }

  /// Sends a statement. Its result is read before the next statement that is not deferred.
  ///
  /// - Parameter isExpected: whether a result is the one that the caller has assumed.
  package func runLater(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields,
    _ isExpected: @escaping (PostgreSQLResult) -> Bool
  ) throws(PostgreSQLError) {
    if !prepared.contains(statement.number) { try prepare(statement) }
    if deferred.isEmpty {
      guard magic_PQenterPipelineMode(try open()) == 1 else { throw connectionError(sql: nil) }
    }
    deferred.append(Deferred(statement: statement, isExpected: isExpected))
    try send(statement, parameters)
  }

  /// Reads the results of the deferred statements. All calls that wait for the server begin with it.
  ///
  /// - Throws: ``PostgreSQLError`` of the first statement that failed, or with `.unexpected`.
  package func finishDeferred() throws(PostgreSQLError) {
    guard !mustNotWait else { throw .mustNotWait() }
    guard !deferred.isEmpty else { return }
    let sent = deferred
    deferred.removeAll(keepingCapacity: true)
    let pointer = try open()
    defer { if !isLost { _ = magic_PQexitPipelineMode(pointer) } }
    guard magic_PQpipelineSync(pointer) == 1 else { throw connectionError(sql: nil) }
    let results = try results(of: sent.map(\.statement))
    for (sent, result) in zip(sent, results) where !sent.isExpected(result) {
      throw PostgreSQLError(.unexpected, "A deferred statement has another result than assumed.")
    }
  }
}
