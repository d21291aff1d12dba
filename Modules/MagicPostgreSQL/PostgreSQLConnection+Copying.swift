import CPostgreSQL

/// COPY, which transfers many rows in one statement.
extension PostgreSQLConnection {
  /// Inserts rows.
  ///
  /// - Parameters:
  ///   - sql: a statement `COPY … FROM STDIN (FORMAT binary)`.
  ///   - rows: the header, the rows and the trailer of the COPY.
  /// - Returns: the number of rows.
  /// - Throws: ``PostgreSQLError`` with the SQLSTATE 54000 if a value is too large.
  @discardableResult
  package func copy(
    _ sql: String, in rows: PostgreSQLFields
  ) throws(PostgreSQLError) -> Int {
    try rows.checkSizes(areParameters: false)
    _ = try execute(sql)
    var rest = rows.bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(64 * 1024))
      let code = magic_PQputCopyData(
        try open(), part.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(truncatingIfNeeded: part.count))
      guard code == 1 else { break }
      rest = rest.dropFirst(part.count)
    }
    _ = magic_PQputCopyEnd(try open(), rest.isEmpty ? nil : "The rows were not sent.")
    return try onlyResult(sql).affectedCount
  }

  /// Reads rows.
  ///
  /// - Parameters:
  ///   - sql: a statement `COPY … TO STDOUT (FORMAT binary)`.
  ///   - use: receives the bytes of each row, valid during the call. The first ones follow the
  ///     header.
  /// - Throws: ``PostgreSQLError``, and the errors of the body. An error of the body cancels the
  ///   statement, so that an open transaction can only be rolled back.
  package func copy(
    _ sql: String, out use: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    _ = try execute(sql)
    var failure: (any Error)?
    while true {
      var bytes: UnsafeMutablePointer<CChar>?
      let count = magic_PQgetCopyData(try open(), &bytes, 0)
      guard count > 0, let start = bytes else { break }
      defer { magic_PQfreemem(start) }
      guard failure == nil else { continue }
      do {
        try use(UnsafeRawBufferPointer(start: start, count: Int(count)))
      } catch {
        // The rows that were sent meanwhile are read and discarded, so that the connection can be used.
        failure = error
        cancel()
      }
    }
    let end = Result { () throws(PostgreSQLError) in _ = try onlyResult(sql) }
    if let failure { throw failure }
    try end.get()
  }
}
