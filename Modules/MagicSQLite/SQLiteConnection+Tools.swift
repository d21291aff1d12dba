import CMagicSQLite

/// What programs that show files of unknown origin need, such as those in `Tools`. It is not a part
/// of the public interface, because an app has no use for it.
extension SQLiteConnection {
  /// Makes the connection refuse all writes, and texts and blobs above a size, permanently.
  ///
  /// - Parameter length: the size in bytes of the largest text, blob or row.
  @_spi(Tools)
  public func restrictToReading(length: Int) throws(SQLiteError) {
    try execute("PRAGMA query_only = ON")
    _ = sqlite3_limit(try pointer(), SQLITE_LIMIT_LENGTH, Int32(clamping: length))
  }

  /// The same as ``prepare(_:)`` for SQL of a user, which must not begin or end a transaction,
  /// attach a database or change settings.
  ///
  /// - Throws: ``SQLiteError`` with ``SQLiteError/Code/unauthorized`` for SQL that does one of
  ///   these.
  @_spi(Tools)
  public func prepareUserSQL(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    try prepare(sql, guarding: [])
  }

  /// Runs a body whose statements fail with ``SQLiteError/Code/interrupted`` soon after the closure
  /// returns true.
  ///
  /// The closure is called every 1,000 steps of SQLite. A step can take milliseconds if it calls a
  /// function with a large text, and is not interrupted.
  @_spi(Tools)
  public func interrupting<Result>(
    when isOver: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try withCancellationCheck(isOver, every: 1_000, body)
  }
}
