import CMagicSQLite

extension SQLiteConnection {
  /// Sets every option explicitly, because builds of SQLite differ in their defaults.
  func configure() throws(SQLiteError) {
    if let trace = configuration.trace {
      let tracer = Tracer(showsValues: configuration.tracesValues, receive: trace)
      handle.tracer = tracer
      tracer.install(on: handle.pointer)
    }
    setBusyTimeout(configuration.busyTimeout)
    installLockHandler()

    // A file may be untrusted. Its schema may call only safe functions, and SQL may not write to
    // the schema tables. A misspelt column name is an error, not a string literal.
    try setFlag(SQLITE_DBCONFIG_DEFENSIVE, true)
    try setFlag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try setFlag(SQLITE_DBCONFIG_DQS_DML, false)
    try setFlag(SQLITE_DBCONFIG_DQS_DDL, false)
    try setFlag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    // Makes a query plan depend only on the SQL. Otherwise SQLite recompiles a statement after each
    // binding of a value that could change its plan: an operand of LIKE, and of LIMIT since SQLite
    // 3.50.
    try setFlag(SQLITE_DBCONFIG_ENABLE_QPSG, true)
    try defineQueryFunctions()
    try defineCollations()

    // The first read fails if the file is not a database, before any statement could write to it.
    _ = try integer("PRAGMA schema_version")

    // With recursive triggers, delete triggers also run for the rows that a REPLACE deletes.
    try execute("PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON")
    // Measured: with this cache, inserts take 0.72 and lookups 0.7 of the time that they take with
    // the default of 2 MB.
    try execute("PRAGMA cache_size = \(-max(1, configuration.cacheSize))")
    try execute("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0")
  }

  /// Applies the settings that only a connection that writes to a file needs, first of all the
  /// write-ahead log.
  package func prepareForWriting() throws(SQLiteError) {
    switch configuration.access {
    case .readOnly, .immutable:
      break
    case .readWrite, .readWriteExisting:
      // SQLite opens a write-protected file for reading and reports no error.
      guard sqlite3_db_readonly(try pointer(), "main") == 0 else {
        throw SQLiteError(
          extendedCode: SQLITE_READONLY, message: "attempt to write a readonly database")
      }
      if try text("PRAGMA journal_mode") != "wal" {
        try prepareForIncrementalVacuum()
        guard try text("PRAGMA journal_mode = WAL") == "wal" else {
          throw SQLiteError(
            extendedCode: SQLITE_CANTOPEN,
            message: "the file system does not support a write-ahead log")
        }
      }
      // Overwrites deleted content if that needs no additional write.
      _ = try text("PRAGMA secure_delete = FAST")
      try setDurability(configuration.durability)
      // Truncates a log that has grown large to 16 MiB.
      _ = try integer("PRAGMA journal_size_limit = 16777216")
      keepLogWhenClosed(false)
    }
  }

  /// Changes what a commit guarantees. Called outside a transaction.
  package func setDurability(_ durability: SQLiteConfiguration.Durability) throws(SQLiteError) {
    switch durability {
    case .off: try execute("PRAGMA synchronous = OFF")
    case .normal: try execute("PRAGMA synchronous = NORMAL")
    case .full:
      // On Apple systems, fsync leaves data in the drive's cache. Elsewhere the last two pragmas
      // have no effect.
      try execute(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    }
    self.durability = durability
  }

  func setFlag(_ option: Int32, _ value: Bool) throws(SQLiteError) {
    var result: Int32 = 0
    let code = magic_sqlite3_db_config_flag(
      try pointer(), option, value ? 1 : 0, &result)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle.pointer, resultCode: code) }
  }

  func milliseconds(_ seconds: Double) -> Int32 {
    // Needs no function of the C math library.
    seconds > 0 ? Int32(min(seconds * 1000 + 0.5, Double(Int32.max))) : 0
  }
}
