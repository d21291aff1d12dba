public import CMagicSQLite

/// Parameter indexes start at 1, as in SQLite. Each call throws ``SQLiteError`` with
/// ``SQLiteError/Code/range`` if the parameter does not exist, ``SQLiteError/Code/tooBig`` if the
/// value is longer than SQLite can store, and ``SQLiteError/Code/misuse`` while the statement runs.
extension SQLiteStatement {
  /// Sets a parameter to an integer.
  @inlinable
  public func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(pointer, Int32(clamping: index), value))
  }

  /// Sets a parameter to a real number. SQLite stores NaN as NULL.
  @_disfavoredOverload @inlinable
  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(pointer, Int32(clamping: index), value))
  }

  /// Sets a parameter to a text. NUL characters are kept.
  @inlinable
  public func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var text = value
    try check(
      text.withUTF8 { bind(textBytes: UnsafeRawBufferPointer($0), at: index) })
  }

  /// Sets a parameter to a blob. An empty buffer is an empty blob, not NULL.
  @inlinable
  public func bind(blob bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try check(bind(blobBytes: bytes, at: index))
  }

  /// Sets a parameter to a text that is given as UTF-8 bytes.
  @inlinable
  public func bind(text bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try check(bind(textBytes: bytes, at: index))
  }

  /// Sets a parameter to a text without copying it. The bytes must stay valid until the statement
  /// is reset.
  @inlinable
  package func bind(
    stableText bytes: UnsafeRawBufferPointer, at index: Int
  ) throws(SQLiteError) {
    guard let start = bytes.baseAddress, let count = Int32(exactly: bytes.count) else {
      return try bind(text: bytes, at: index)
    }
    try check(
      sqlite3_bind_text(
        pointer, Int32(clamping: index), start.assumingMemoryBound(to: CChar.self), count, nil))
  }

  /// Sets a parameter to a blob without copying it. The bytes must stay valid until the statement
  /// is reset.
  @inlinable
  package func bind(
    stableBlob bytes: UnsafeRawBufferPointer, at index: Int
  ) throws(SQLiteError) {
    guard bytes.count > 0, let start = bytes.baseAddress, let count = Int32(exactly: bytes.count)
    else { return try bind(blob: bytes, at: index) }
    try check(sqlite3_bind_blob(pointer, Int32(clamping: index), start, count, nil))
  }

  /// Binds a text, or NULL if there is none.
  package func bind(optional value: String?, at index: Int) throws(SQLiteError) {
    if let value { try bind(value, at: index) } else { try bindNull(at: index) }
  }

  /// Sets a parameter to NULL.
  @inlinable
  public func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(pointer, Int32(clamping: index)))
  }

  @inlinable
  package func bind(textBytes bytes: UnsafeRawBufferPointer, at index: Int) -> Int32 {
    guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    // SQLite treats a nil pointer as NULL, so an empty text needs an address too.
    guard let start = bytes.baseAddress else {
      return magic_sqlite3_bind_text_copy(pointer, Int32(clamping: index), "", 0)
    }
    return magic_sqlite3_bind_text_copy(
      pointer, Int32(clamping: index), start.assumingMemoryBound(to: CChar.self), count)
  }

  @inlinable
  package func bind(blobBytes bytes: UnsafeRawBufferPointer, at index: Int) -> Int32 {
    guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    guard count > 0, let start = bytes.baseAddress else {
      return sqlite3_bind_zeroblob(pointer, Int32(clamping: index), 0)
    }
    return magic_sqlite3_bind_blob_copy(pointer, Int32(clamping: index), start, count)
  }

  @inlinable
  package func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw failure(code) }
  }
}
