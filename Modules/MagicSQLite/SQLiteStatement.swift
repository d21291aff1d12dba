public import CMagicSQLite

/// A compiled statement. The caller binds values to its parameters, steps through its rows, and
/// resets it for the next execution.
///
/// Only the thread that uses the statement's connection may use the statement.
public final class SQLiteStatement {
  @usableFromInline package let pointer: OpaquePointer
  @usableFromInline package let connection: ConnectionHandle
  /// The indexes of the parameters to which the caller binds texts as blobs.
  @exclusivity(unchecked) package var blobParameters: [Int] = []
  /// Checks the statement when SQLite has compiled it again; nil if it needs no check.
  @exclusivity(unchecked) @usableFromInline var recompilationCheck: RecompilationCheck?

  init(pointer: OpaquePointer, connection: ConnectionHandle) {
    self.pointer = pointer
    self.connection = connection
    connection.statements.insert(pointer)
  }

  deinit {
    guard !connection.isForked else { return }
    connection.statements.remove(pointer)
    sqlite3_finalize(pointer)
  }

  /// The SQL, with its parameters.
  public var sql: String { String(cString: sqlite3_sql(pointer)) }

  /// The number of parameters.
  public var parameterCount: Int { Int(sqlite3_bind_parameter_count(pointer)) }

  /// Returns the name of the parameter at an index, from 1, with its first character; nil for a
  /// parameter without a name.
  public func parameterName(_ index: Int) -> String? {
    sqlite3_bind_parameter_name(pointer, Int32(clamping: index)).map { String(cString: $0) }
  }

  /// The number of columns of a row; 0 for a statement that returns no rows.
  public var columnCount: Int { Int(sqlite3_column_count(pointer)) }

  /// The name of a column; "" if the column does not exist.
  public func columnName(_ index: Int) -> String {
    sqlite3_column_name(pointer, Int32(clamping: index)).map { String(cString: $0) } ?? ""
  }

  /// Whether the statement does not change the database.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

  /// Steps to the next row.
  ///
  /// - Returns: false if there are no more rows.
  /// - Throws: ``SQLiteError``; the statement is then reset.
  @inlinable
  public func step() throws(SQLiteError) -> Bool {
    if recompilationCheck != nil { return try checkedStep() }
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Steps to the end and resets the statement, for statements whose rows are not needed.
  @inlinable
  public func run() throws(SQLiteError) {
    while try step() {}
    sqlite3_reset(pointer)
  }

  /// Resets the statement, so that it can run again. Bindings are kept.
  @inlinable
  public func reset() { sqlite3_reset(pointer) }

  /// Sets every parameter to NULL.
  public func clearBindings() { sqlite3_clear_bindings(pointer) }

  @usableFromInline
  package func failure(_ code: Int32) -> SQLiteError {
    let error = connection.error(code, on: sqlite3_db_handle(pointer), sql: sql)
    sqlite3_reset(pointer)
    connection.noteRollback(because: error)
    return error
  }
}
