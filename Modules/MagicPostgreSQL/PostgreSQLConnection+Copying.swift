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
    let isSent = try sendCopied(rows)
    _ = magic_PQputCopyEnd(try open(), isSent ? nil : "The rows were not sent.")
    return try onlyResult(sql).affectedCount
  }

  /// Inserts rows that are encoded while the server inserts the ones before them.
  ///
  /// - Parameters:
  ///   - sql: as for ``copy(_:in:)``. Other statements can be before and after it in the same text.
  ///   - fields: the memory of the rows, which are sent when there are enough of them.
  ///   - savepoint: the savepoint that the SQL begins and releases, if the call returns while the server
  ///     inserts the last rows. After an error of the server, which ``takeDeferredError()`` returns after
  ///     ``finishDeferred()``, it is restored. Nil to wait for the result.
  ///   - append: appends a row to the fields; false at the end.
  /// - Throws: ``PostgreSQLError``, and the errors of the closure. The transaction can then only be
  ///   rolled back.
  package func copy(
    _ sql: String, in fields: PostgreSQLFields, deferredIn savepoint: String? = nil,
    _ append: (PostgreSQLFields) throws -> Bool
  ) throws {
    _ = try execute(sql)
    var failure: (any Error)?
    do {
      var isSent = true
      fields.removeAll()
      fields.appendCopyHeader()
      while isSent, try append(fields) {
        guard fields.byteCount >= Self.sentSize else { continue }
        try cancellation?.check()
        try fields.checkSizes(areParameters: false)
        isSent = try sendCopied(fields)
        fields.removeAll()
      }
      fields.appendCopyTrailer()
      try fields.checkSizes(areParameters: false)
      // If the rows cannot be sent, the result is the reason.
      if isSent { _ = try sendCopied(fields) }
    } catch {
      failure = error
    }
    _ = magic_PQputCopyEnd(try open(), failure == nil ? nil : "The rows were not sent.")
    if let savepoint, failure == nil {
      deferredError = nil
      deferredCopy = DeferredCopy(sql: sql, savepoint: savepoint)
      return
    }
    let end = Result { () throws(PostgreSQLError) in _ = try onlyResult(sql) }
    if let failure { throw failure }
    try end.get()
  }

  private static var sentSize: Int { 64 * 1024 }

  /// - Returns: false if the server does not receive them.
  private func sendCopied(_ rows: PostgreSQLFields) throws(PostgreSQLError) -> Bool {
    let pointer = try open()
    var rest = rows.bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.sentSize))
      let code = magic_PQputCopyData(
        pointer, part.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(truncatingIfNeeded: part.count))
      guard code == 1 else { return false }
      rest = rest.dropFirst(part.count)
    }
    return true
  }

  /// Reads rows while they arrive.
  ///
  /// - Parameters:
  ///   - sql: a statement `COPY … TO STDOUT (FORMAT binary)`.
  ///   - columnCount: the number of the columns that it selects.
  ///   - types: the types of these columns, which are checked if a statement before it in the same text
  ///     selects the same columns; nil without such a statement.
  ///   - keepsTransaction: whether an open transaction can be continued after an error of the body.
  ///     Then all rows are received. Otherwise such an error cancels the statement, so that an open
  ///     transaction can only be rolled back.
  ///   - use: receives each row, which is valid during the call.
  /// - Throws: ``PostgreSQLError``, and the errors of the body.
  package func copy(
    _ sql: String, columnCount: Int, types: [PostgreSQLType]? = nil,
    keepsTransaction: Bool = false, out use: (CopiedRow) throws -> Void
  ) throws {
    let mustKeep = keepsTransaction && transactionState == .open
    try send(sql)
    var (selected, failure): (PostgreSQLResult?, (any Error)?) = (nil, nil)
    _ = try onlyResult(sql, &selected)
    if let types, selected?.hasColumns(of: types) != true {
      failure = PostgreSQLError(
        .refused, "The columns of the table have other types.", sqlState: "0A000")
      if !mustKeep { cancel() }
    }
    let pointer = try open()
    let reader = CopyReader(columnCount: columnCount)
    while true {
      var bytes: UnsafeMutablePointer<CChar>?
      let count = magic_PQgetCopyData(pointer, &bytes, 0)
      guard count > 0, let start = bytes else { break }
      defer { magic_PQfreemem(start) }
      guard failure == nil else { continue }
      do {
        let message = UnsafeRawBufferPointer(start: start, count: Int(count))
        if let row = try reader.row(in: message) { try use(row) }
      } catch {
        // The rows that were sent meanwhile are read and discarded, so that the connection can be used.
        failure = error
        if !mustKeep { cancel() }
      }
    }
    let end = Result { () throws(PostgreSQLError) in _ = try onlyResult(sql) }
    if let failure { throw failure }
    try end.get()
  }

  /// Reads the rows of a query while they arrive. An open transaction can be continued after an error
  /// of the body.
  ///
  /// - Parameters:
  ///   - query: a SELECT without LIMIT.
  ///   - types: the types of its columns.
  ///   - use: receives each row, which is valid during the call.
  /// - Throws: ``PostgreSQLError``, with the SQLSTATE of a prepared statement whose result has changed
  ///   if the columns have other types; and the errors of the body.
  package func copy(
    _ query: String, types: [PostgreSQLType], out use: (CopiedRow) throws -> Void
  ) throws {
    // A COPY does not describe its columns. The statement before it does: it locks the table until the
    // end of the transaction, which contains both.
    try copy(
      "\(query) LIMIT 0; COPY (\(query)) TO STDOUT (FORMAT binary)", columnCount: types.count,
      types: types, keepsTransaction: true, out: use)
  }
}

extension PostgreSQLResult {
  /// Whether the columns have types that are read as these ones.
  fileprivate func hasColumns(of types: [PostgreSQLType]) -> Bool {
    columnCount == types.count
      && types.indices.allSatisfy { type($0).isRead(as: types[$0]) }
  }
}
