import CMagicSQLite

extension SQLiteConnection {
  /// Syncs the write-ahead log to disk. With durability `.normal`, commits do not do that.
  ///
  /// - Returns: whether all committed data is on disk.
  package func syncLog() -> Bool {
    guard let pointer = handle.pointer else { return false }
    var log: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(pointer, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    guard code == SQLITE_OK, let log else { return false }
    // Without a log, all data is in the database, and on disk.
    guard let methods = log.pointee.pMethods else { return true }
    return methods.pointee.xSync(log, SQLITE_SYNC_FULL) == SQLITE_OK
  }

  /// The modes of a checkpoint.
  package enum Checkpoint {
    /// Copies the frames that no reader needs to the database, and does not wait.
    case passive
    /// Copies all frames to the database while no reader uses the log, so that the next write
    /// restarts the log.
    case restart
    /// The same as ``restart``, and truncates the log file to zero bytes.
    case truncate

    fileprivate var mode: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Records the size of the log after every commit of this connection.
  ///
  /// This replaces SQLite's automatic checkpoints: the caller must run checkpoints from now on.
  package func watchLog() {
    guard let pointer = handle.pointer else { return }
    connectionFiles?.openLog()
    sqlite3_wal_hook(
      pointer,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        let handle = Unmanaged<ConnectionHandle>.fromOpaque(context).takeUnretainedValue()
        handle.logSize = Int(pages)
        handle.changedRows?.noteCommit()
        return SQLITE_OK
      }, Unmanaged.passUnretained(handle).toOpaque())
  }

  /// Returns the number of pages in the log after the last commit that has written, and resets the
  /// number; nil if no commit has written since the last call.
  package func takeLogSize() -> Int? {
    defer { handle.logSize = nil }
    return handle.logSize
  }

  /// The number of pages that ``takeLogSize()`` will return. Reading this does not reset it.
  package var logSize: Int? { handle.logSize }

  /// Whether a commit has written to the log since the last call of ``takeLogSize()``.
  package var hasWrittenLog: Bool { handle.logSize != nil }

  /// Copies the log to the database, outside a transaction.
  ///
  /// A checkpoint that fails loses nothing: its frames stay in the log.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for readers and other writers, in seconds. Afterwards the busy
  ///     timeout is the configured one.
  ///   - willTry: called before each attempt.
  /// - Returns: whether the checkpoint did everything that its mode promises. A passive checkpoint
  ///   promises only what is possible without waiting.
  @discardableResult
  package func checkpoint(
    _ checkpoint: Checkpoint, timeout: Double = 0, willTry: () -> Void = {}
  ) -> Bool {
    guard let pointer = handle.pointer, !handle.isForked else { return false }
    setBusyTimeout(0)
    defer { setBusyTimeout(configuration.busyTimeout) }
    // SQLite's own wait needs one reader slot of the log index to be free, and new readers can keep
    // that slot occupied. Each new attempt reads the current positions of the readers.
    var left = milliseconds(timeout)
    while true {
      willTry()
      let code = sqlite3_wal_checkpoint_v2(pointer, "main", checkpoint.mode, nil, nil)
      guard code == SQLITE_BUSY, left > 0 else { return code == SQLITE_OK }
      left -= 1
      sqlite3_sleep(1)
    }
  }
}
