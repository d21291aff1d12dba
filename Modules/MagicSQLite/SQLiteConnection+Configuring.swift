import CMagicSQLite

extension SQLiteConnection {
  /// Every setting is made on purpose: builds of SQLite differ in their defaults.
  func configure() throws(SQLiteError) {
    if let trace = configuration.trace {
      let tracer = Tracer(showsValues: configuration.tracesValues, receive: trace)
      handle.tracer = tracer
      tracer.install(on: handle.pointer)
    }
    setBusyTimeout(configuration.busyTimeout)
    installLockHandler()

    // A file may come from elsewhere: its schema gets no say over functions, and SQL may not write
    // to the schema tables. A misspelt column is an error, not a text.
    try setFlag(SQLITE_DBCONFIG_DEFENSIVE, true)
    try setFlag(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    try setFlag(SQLITE_DBCONFIG_DQS_DML, false)
    try setFlag(SQLITE_DBCONFIG_DQS_DDL, false)
    try setFlag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    // A plan depends on the SQL alone. Otherwise a bound value that a plan could depend on compiles the
    // statement again with each binding: of LIKE, and of LIMIT since SQLite 3.50.
    try setFlag(SQLITE_DBCONFIG_ENABLE_QPSG, true)

    // The first read says whether this is a database at all, before anything could write to it.
    _ = try integer("PRAGMA schema_version")

    // Delete triggers see the rows that a REPLACE removes.
    try execute("PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON")
    // Measured: inserts take 0.72 and lookups 0.7 of the time they take with the default 2 MB.
    try execute("PRAGMA cache_size = \(-max(1, configuration.cacheSize))")
    try execute("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0")
  }

  /// What only a connection that writes to a file needs: the write-ahead log first of all.
  package func prepareForWriting() throws(SQLiteError) {
    switch configuration.access {
    case .readOnly, .immutable:
      break
    case .readWrite, .readWriteExisting:
      // SQLite opens a write-protected file for reading without a word.
      guard sqlite3_db_readonly(try pointer(), "main") == 0 else {
        throw SQLiteError(
          extendedCode: SQLITE_READONLY, message: "attempt to write a readonly database")
      }
      if try text("PRAGMA journal_mode") != "wal" {
        guard try text("PRAGMA journal_mode = WAL") == "wal" else {
          throw SQLiteError(
            extendedCode: SQLITE_CANTOPEN, message: "the file system offers no write-ahead log")
        }
      }
      // Deleted content is overwritten where that costs no further write.
      _ = try text("PRAGMA secure_delete = FAST")
      try setDurability(configuration.durability)
      // A log that once grew large is cut back to 16 MiB.
      _ = try integer("PRAGMA journal_size_limit = 16777216")
      keepLogWhenClosed(false)
    }
  }

  /// Changes what a commit promises, outside a transaction.
  package func setDurability(_ durability: SQLiteConfiguration.Durability) throws(SQLiteError) {
    switch durability {
    case .off: try execute("PRAGMA synchronous = OFF")
    case .normal: try execute("PRAGMA synchronous = NORMAL")
    case .full:
      // Apple's fsync leaves data in the drive's cache; elsewhere these two change nothing.
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
    // Written so that no function of the C mathematics library is needed.
    seconds > 0 ? Int32(min(seconds * 1000 + 0.5, Double(Int32.max))) : 0
  }
}
