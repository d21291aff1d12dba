import CMagicSQLite

extension SQLiteConnection {
  /// Runs a body that puts tables in the place of others, which foreign keys and triggers refer to by
  /// name; inside a transaction too.
  ///
  /// Meanwhile foreign keys are not enforced, so that dropping a table deletes nothing that refers to
  /// its rows, and renaming one changes nothing that refers to the name. The pragma would do nothing
  /// inside a transaction; the configuration does.
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

  /// Runs a body whose statements start no triggers of the file; inside a transaction too. Temporary
  /// triggers are started all the same, since SQLite 3.35.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      try setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
      result = try body()
    } catch {
      try? setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
      throw error
    }
    try setFlag(SQLITE_DBCONFIG_ENABLE_TRIGGER, true)
    return result
  }

  /// Runs a body that makes indexes of tables that may be larger than memory: what is sorted lies in
  /// files. Outside a transaction; inside one nothing changes. Temporary tables go.
  package func sortingInFiles<Result>(_ body: () throws -> Result) rethrows -> Result {
    try? execute("PRAGMA temp_store = FILE")
    defer { try? execute("PRAGMA temp_store = MEMORY") }
    return try body()
  }
}

extension SQLiteStatement {
  /// Sets a parameter to a column of the row that another statement is at.
  package func bind(_ column: SQLiteColumn, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_value(pointer, Int32(clamping: index), column.value))
  }
}
