import CMagicSQLite

extension SQLiteConnection {
  /// Brings what commits have written to the log to the disk, which durability `.normal` leaves for
  /// later.
  ///
  /// - Returns: whether all that was committed is there.
  package func syncLog() -> Bool {
    guard let pointer = handle.pointer else { return false }
    var log: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    guard code == SQLITE_OK, let log else { return false }
    // Without a log all is in the database, and on the disk.
    guard let methods = log.pointee.pMethods else { return true }
    return methods.pointee.xSync(log, SQLITE_SYNC_FULL) == SQLITE_OK
  }

  /// How much a checkpoint does.
  package enum Checkpoint {
    /// Moves into the database what no reader keeps in the log, and waits for nobody.
    case passive
    /// Moves the whole log while no reader uses it: the next write begins it anew.
    case restart
    /// Like ``restart``, and cuts the log's file to nothing.
    case truncate

    fileprivate var mode: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Takes down the log's size with every commit of this connection.
  ///
  /// SQLite's own checkpoints after a commit end with that: they are now the caller's to run.
  package func watchLog() {
    guard let pointer = handle.pointer else { return }
    connectionFiles?.openLog()
    sqlite3_wal_hook(
      pointer,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        handle.logSize = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(handle).toOpaque())
  }

  /// The pages in the log after the last commit that wrote; nil where none did since this was asked.
  package func takeLogSize() -> Int? {
    defer { handle.logSize = nil }
    return handle.logSize
  }

  /// The same, which is still there for ``takeLogSize()``.
  package var logSize: Int? { handle.logSize }

  /// Whether a commit has written to the log since its size was taken.
  package var hasWrittenLog: Bool { handle.logSize != nil }

  /// Moves the log into the database, outside a transaction.
  ///
  /// A checkpoint that fails loses nothing: the log keeps what it has.
  ///
  /// - Parameter timeout: how long to wait for readers and other writers, in seconds. The busy
  ///   timeout is afterwards the configured one.
  /// - Returns: whether it did all it is for; a passive one does what it can.
  @discardableResult
  package func checkpoint(_ checkpoint: Checkpoint, timeout: Double = 0) -> Bool {
    guard let pointer = handle.pointer, !handle.isForked else { return false }
    setBusyTimeout(0)
    defer { setBusyTimeout(configuration.busyTimeout) }
    // SQLite itself would wait for a place in its table of readers that new readers take again and
    // again. Each new try looks at where the readers are by now.
    var left = milliseconds(timeout)
    while true {
      let code = sqlite3_wal_checkpoint_v2(pointer, "main", checkpoint.mode, nil, nil)
      guard code == SQLITE_BUSY, left > 0 else { return code == SQLITE_OK }
      left -= 1
      sqlite3_sleep(1)
    }
  }
}
