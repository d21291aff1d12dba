public import CMagicSQLite

extension SQLiteConnection {
  /// Compiles one statement.
  ///
  /// - Throws: ``SQLiteError``; SQL with a NUL character or with more than one statement is
  ///   refused with ``SQLiteError/Code/misuse``.
  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try prepare(sql, isPersistent: false)
  }

  /// The statement for this SQL, compiled when it is first asked for and kept for the next time.
  ///
  /// It comes reset and without bindings. The last 64 are kept.
  public func cachedStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try cachedStatement(sql, in: &statements)
  }

  func cachedStatement(
    _ sql: String, in cache: inout StatementCache<String>
  ) throws(SQLiteError) -> SQLiteStatement {
    try handle.refuseForked()
    if let statement = cache[sql] {
      statement.reset()
      statement.clearBindings()
      return statement
    }
    let statement = try prepare(sql, isPersistent: true)
    cache[sql] = statement
    return statement
  }

  /// Runs one or more statements that need no values and whose rows nobody wants.
  public func execute(_ sql: String) throws(SQLiteError) {
    var rest = sql
    try refuseNUL(in: sql)
    while true {
      let (statement, tail) = try compile(rest, flags: 0)
      if let statement {
        while try statement.step() {}
        statement.reset()
      }
      guard !tail.isEmpty else { return }
      rest = tail
    }
  }

  /// The first column of the first row as an integer; nil where there is no row or it is NULL.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let column = statement.column(0)
    return column.isNull ? nil : column.integer
  }

  /// The first column of the first row as text; nil where there is no row or it is NULL.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let column = statement.column(0)
    return column.isNull ? nil : column.text
  }

  /// The rows that the last INSERT, UPDATE or DELETE changed, without those of triggers.
  @inlinable
  public var changes: Int { handle.pointer.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// The rows changed since the connection was opened, those of triggers and cascades included.
  public var totalChanges: Int { handle.pointer.map { Int(sqlite3_total_changes($0)) } ?? 0 }

  /// The key of the row inserted last.
  public var lastInsertedRow: Int64 { handle.pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Ends the statement that runs on another thread with ``SQLiteError/Code/interrupted``.
  package func interrupt() {
    if let pointer = handle.pointer { sqlite3_interrupt(pointer) }
  }

  /// Changes with every commit of any connection that this one has seen, its own included.
  package var dataVersion: UInt32? {
    guard let pointer = handle.pointer else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  package func prepare(_ sql: String, isPersistent: Bool) throws(SQLiteError) -> SQLiteStatement {
    try refuseNUL(in: sql)
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let (statement, tail) = try compile(sql, flags: flags)
    guard let statement else { throw .misuse("there is no statement", sql: sql) }
    // What is behind the first may well be wrong by itself: the first has not run yet.
    guard let rest = try? compile(tail, flags: 0), rest.statement == nil else {
      throw .misuse("there is more than one statement", sql: sql)
    }
    return statement
  }

  private func refuseNUL(in sql: String) throws(SQLiteError) {
    guard !sql.utf8.contains(0) else { throw .misuse("the SQL holds a NUL character") }
  }

  private func compile(_ sql: String, flags: UInt32) throws(SQLiteError) -> (
    statement: SQLiteStatement?, tail: String
  ) {
    let database = try pointer(sql: sql)
    guard !sql.isEmpty else { return (nil, "") }
    guard let count = Int32(exactly: sql.utf8.count) else {
      throw SQLiteError(extendedCode: SQLITE_TOOBIG, message: "the SQL is too long")
    }
    var text = sql
    var compiled: OpaquePointer?
    var used = 0
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          database, characters.baseAddress, count, flags, &compiled, &tail)
        used = tail.map { $0 - characters.baseAddress! } ?? characters.count
        return code
      }
    }
    guard code == SQLITE_OK else {
      throw handle.error(code, on: database, sql: sql)
    }
    return (
      compiled.map { SQLiteStatement(pointer: $0, connection: handle) },
      String(decoding: text.utf8.dropFirst(used), as: UTF8.self)
    )
  }
}
