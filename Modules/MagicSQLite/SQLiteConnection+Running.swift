public import CMagicSQLite

extension SQLiteConnection {
  /// Compiles one statement.
  ///
  /// - Throws: ``SQLiteError``. SQL with a NUL character or with more than one statement is refused
  ///   with ``SQLiteError/Code/misuse``.
  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try prepare(sql, isPersistent: false)
  }

  /// Returns the statement for this SQL from a cache. The first call compiles the statement.
  ///
  /// The statement is reset and has no bindings. The cache keeps 64 statements.
  public func cachedStatement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try cachedStatement(sql, in: &statements)
  }

  func cachedStatement(
    _ sql: String, in cache: inout StatementCache<String>
  ) throws(SQLiteError) -> SQLiteStatement {
    try handle.checkNotForked()
    if let statement = cache[sql] {
      statement.reset()
      statement.clearBindings()
      return statement
    }
    let statement = try prepare(sql, isPersistent: true)
    cache[sql] = statement
    return statement
  }

  /// Runs one or more statements without parameters, and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    var rest = sql
    try checkNoNUL(in: sql)
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

  /// Returns the first column of the first row as an integer; nil if there is no row or the value
  /// is NULL.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let column = statement.column(0)
    return column.isNull ? nil : column.integer
  }

  /// Returns the first column of the first row as text; nil if there is no row or the value is
  /// NULL.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let column = statement.column(0)
    return column.isNull ? nil : column.text
  }

  /// Returns the first column of all rows as texts.
  package func textColumn(_ sql: String) throws(SQLiteError) -> [String] {
    let statement = try cachedStatement(sql)
    defer { statement.reset() }
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed, without rows that triggers
  /// changed.
  @inlinable
  public var changes: Int { handle.pointer.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// The number of rows that were changed since the connection was opened, including rows that
  /// triggers and cascades changed.
  public var totalChanges: Int { handle.pointer.map { Int(sqlite3_total_changes($0)) } ?? 0 }

  /// The row ID of the row that was inserted last.
  public var lastInsertedRow: Int64 { handle.pointer.map { sqlite3_last_insert_rowid($0) } ?? 0 }

  /// Interrupts the statement that runs on another thread. The statement fails with
  /// ``SQLiteError/Code/interrupted``.
  package func interrupt() {
    if let pointer = handle.pointer { sqlite3_interrupt(pointer) }
  }

  /// A number that differs after each commit that this connection has seen: its own commits, and
  /// those of other connections.
  package var dataVersion: UInt32? {
    guard let pointer = handle.pointer else { return nil }
    var version: UInt32 = 0
    let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  package func prepare(_ sql: String, isPersistent: Bool) throws(SQLiteError) -> SQLiteStatement {
    try checkNoNUL(in: sql)
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let (statement, tail) = try compile(sql, flags: flags)
    guard let statement else { throw .misuse("the SQL contains no statement", sql: sql) }
    // The text after the first statement may fail to compile only because the first one has not run
    // yet.
    guard let rest = try? compile(tail, flags: 0), rest.statement == nil else {
      throw .misuse("the SQL contains more than one statement", sql: sql)
    }
    return statement
  }

  private func checkNoNUL(in sql: String) throws(SQLiteError) {
    // Searching the buffer takes a fraction of the instructions of searching the text.
    let hasNUL =
      sql.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? sql.utf8.contains(0)
    guard !hasNUL else { throw .misuse("the SQL contains a NUL character") }
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
