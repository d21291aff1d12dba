import CMagicSQLite

extension SQLiteConnection {
  /// Runs a body that replaces tables which foreign keys and triggers refer to by name. Also works
  /// inside a transaction.
  ///
  /// Foreign keys are not enforced during the body. Dropping a table therefore deletes no rows that
  /// refer to it, and renaming a table changes no references to its name. The function uses the
  /// database configuration, because the pragma has no effect inside a transaction.
  package func replacingTables<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      try setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, false)
      try execute("PRAGMA legacy_alter_table = ON")
      result = try body()
    } catch {
      try? enforceReferences()
      throw error
    }
    try enforceReferences()
    return result
  }

  private func enforceReferences() throws(SQLiteError) {
    try setFlag(SQLITE_DBCONFIG_ENABLE_FKEY, true)
    try execute("PRAGMA legacy_alter_table = OFF")
  }

  /// Runs a body whose statements fire no triggers of the file. Also works inside a transaction.
  /// Temporary triggers still fire since SQLite 3.35.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try clearing(SQLITE_DBCONFIG_ENABLE_TRIGGER, body)
  }

  /// Runs a body that writes to the tables in which a virtual table keeps its data. Also works inside a
  /// transaction.
  package func writingShadowTables<Result>(_ body: () throws -> Result) throws -> Result {
    try clearing(SQLITE_DBCONFIG_DEFENSIVE, body)
  }

  /// Runs a body while a flag of the connection, which is always set otherwise, is cleared.
  private func clearing<Result>(_ flag: Int32, _ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      try setFlag(flag, false)
      result = try body()
    } catch {
      try? setFlag(flag, true)
      throw error
    }
    try setFlag(flag, true)
    return result
  }

  /// Runs a body that creates indexes of tables that may be larger than memory: SQLite sorts in
  /// files. Call it outside a transaction; inside one it has no effect. SQLite deletes all
  /// temporary tables.
  package func sortingInFiles<Result>(_ body: () throws -> Result) rethrows -> Result {
    try? execute("PRAGMA temp_store = FILE")
    defer { try? execute("PRAGMA temp_store = MEMORY") }
    return try body()
  }
}

extension SQLiteStatement {
  /// Sets a parameter to a column of the current row of another statement.
  package func bind(_ column: SQLiteColumn, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_value(pointer, Int32(clamping: index), column.value))
  }
}
