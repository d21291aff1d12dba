import CPostgreSQL

/// Statements that run one by one.
extension PostgreSQLConnection {
  /// Runs SQL without parameters. Values in the result are texts.
  @discardableResult
  package func execute(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
    try send(sql)
    return try onlyResult(sql)
  }

  /// Sends SQL without parameters.
  func send(_ sql: String) throws(PostgreSQLError) {
    try finishDeferred()
    _ = try openForStatement()
    try sendUnchecked(sql)
  }

  /// The same in a call that was cancelled.
  func sendUnchecked(_ sql: String) throws(PostgreSQLError) {
    let pointer = try open()
    trace?(sql)
    guard magic_PQsendQuery(pointer, sql) == 1 else { throw connectionError(sql: sql) }
  }

  /// Runs a statement.
  @discardableResult
  package func run(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields? = nil
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    if canDefer(statement) {
      // It shares the round trip of the deferred statements.
      try runLater(statement, parameters)
      return try lastOfDeferred()
    }
    try finishDeferred()
    try prepare(statement)
    try send(statement, parameters)
    return try onlyResult(statement.sql)
  }

  /// Whether a statement can be sent without waiting for the server.
  func isReady(_ statement: PostgreSQLStatement) -> Bool {
    statement.runsOnce || prepared.contains(statement.number)
  }

  /// Prepares a statement, unless it is prepared or runs once.
  package func prepare(_ statement: PostgreSQLStatement) throws(PostgreSQLError) {
    guard !isReady(statement) else { return }
    try finishDeferred()
    let pointer = try openForStatement()
    let types = statement.types.map(\.oid)
    guard
      magic_PQsendPrepare(
        pointer, statement.name, statement.sql, Int32(truncatingIfNeeded: types.count), types) == 1
    else { throw connectionError(sql: statement.sql) }
    _ = try onlyResult(statement.sql)
    prepared.insert(statement.number)
  }

  func send(
    _ statement: PostgreSQLStatement, _ parameters: PostgreSQLFields?
  ) throws(PostgreSQLError) {
    let pointer = try openForStatement()
    try parameters?.checkSizes(areParameters: true)
    trace?(statement.sql)
    let binary: Int32 = 1
    let code = (parameters ?? noParameters).withArguments { count, values, lengths, formats in
      guard statement.runsOnce else {
        return magic_PQsendQueryPrepared(
          pointer, statement.name, count, values, lengths, formats, binary)
      }
      let types = statement.types.map(\.oid)
      return magic_PQsendQueryParams(
        pointer, statement.sql, count, types, values, lengths, formats, binary)
    }
    guard code == 1 else { throw connectionError(sql: statement.sql) }
  }

  /// Reads all results of the statement that was sent, and returns the last one.
  func onlyResult(_ sql: String?) throws(PostgreSQLError) -> PostgreSQLResult {
    var previous: PostgreSQLResult?
    return try onlyResult(sql, &previous)
  }

  /// The same.
  ///
  /// - Parameters:
  ///   - sql: the SQL of errors.
  ///   - previous: receives the result of the statement before a COPY.
  func onlyResult(
    _ sql: String?, _ previous: inout PostgreSQLResult?
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    var (last, failure): (PostgreSQLResult?, PostgreSQLError?) = (nil, nil)
    while failure == nil || !isLost, let pointer = try nextResult() {
      let result = PostgreSQLResult(pointer)
      switch Int(magic_PQresultStatus(pointer)) {
      case magic_result_command_ok, magic_result_tuples_ok,
        magic_result_empty_query:
        last = result
      case magic_result_copy_in, magic_result_copy_out, magic_result_copy_both:
        // The caller transfers the rows before it reads the other results.
        previous = last
        return result
      default:
        if failure == nil { failure = failed(pointer, sql) }
      }
    }
    if let failure { throw failure }
    guard let last else { throw connectionError(sql: sql) }
    return last
  }

  private func nextResult() throws(PostgreSQLError) -> OpaquePointer? {
    if let cancellation, let pause = cancellation.pollMilliseconds {
      while !waitForResult(until: Self.time(after: pause)) { cancellation.poll() }
    }
    return magic_PQgetResult(try open())
  }

  /// The error of a result, or that of the connection if it was lost.
  func failed(_ result: OpaquePointer, _ sql: String?) -> PostgreSQLError {
    let error = PostgreSQLError(result, sql: sql)
    if conflict == nil, error.sqlState == "40001" || error.sqlState == "40P01" { conflict = error }
    // The server ends the connection after each error of these severities.
    let severity = PostgreSQLError.field(magic_field_severity, of: result)
    guard
      isLost || error.endsConnection || severity == "FATAL" || severity == "PANIC"
        || isOfLibrary(error)
    else {
      // A timeout of statements has the same SQLSTATE.
      return error.sqlState == "57014" && cancellation?.hasSentRequest == true
        ? .cancelled() : error
    }
    // What libpq reports of the connection says more than a result without an error of the server.
    let message = error.sqlState.isEmpty ? Self.message(of: pointer) : error.message
    var lost = PostgreSQLError(.connectionLost, message, sqlState: error.sqlState)
    lost.sql = sql
    if error.sqlState.isEmpty { isBroken = true }
    return lost
  }

  /// Whether an error is of libpq, and not an answer of the server: it cannot send or receive, also if its
  /// status is still that of an open connection. After a crash of the server, the end of a connection is only
  /// found when it is read. A lack of memory says nothing about the connection.
  private func isOfLibrary(_ error: PostgreSQLError) -> Bool {
    error.sqlState.isEmpty
      && !Self.message(of: pointer).split { !$0.isLetter }.contains { $0 == "memory" }
  }
}
