import CSQLite
package import MagicRuntime

/// What SQLite's shared index of a write-ahead log says of it.
///
/// See https://sqlite.org/walformat.html#the_wal_index_header
package struct LogIndex: Equatable, Sendable {
  /// How many frames the log has, up to the last commit.
  package let frames: UInt32
  /// How many of them the database has too.
  package let checkpointedFrames: UInt32
  /// Tell the log from those that were in the same file before.
  package let salts: UInt64
  /// In bytes.
  private let pageSize: Int

  private static let headerSize = 48
  private static let version: UInt32 = 3_007_000

  /// How long the log's file has to be, in bytes.
  var size: Int64 { frames == 0 ? 0 : 32 + Int64(frames) * Int64(24 + pageSize) }

  /// Nil where the index is just being changed.
  init?(_ index: UnsafeRawPointer) {
    func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
      index.load(fromByteOffset: offset, as: Number.self)
    }
    // It is there twice, and changed one after the other.
    for offset in stride(from: 0, to: Self.headerSize, by: 8)
    where number(at: offset, UInt64.self) != number(at: Self.headerSize + offset, UInt64.self) {
      return nil
    }
    guard number(at: 0, UInt32.self) == Self.version, number(at: 12, UInt8.self) != 0 else {
      return nil
    }
    let pageSize = number(at: 14, UInt16.self)
    self.pageSize = pageSize == 1 ? 65_536 : Int(pageSize)
    frames = number(at: 16, UInt32.self)
    salts = number(at: 32, UInt64.self)
    checkpointedFrames = number(at: 2 * Self.headerSize, UInt32.self)
  }
}

extension SQLiteConnection {
  /// The index of the log, which this connection has read or written; nil where the database has none.
  package var logIndex: LogIndex? {
    guard let pointer = handle.pointer else { return nil }
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // The first region, in the size that SQLite itself asks for.
    guard map(file, 0, 32_768, 0, &region) == SQLITE_OK, let region else { return nil }
    return LogIndex(region)
  }

  /// Whether another program has moved, removed, replaced or emptied the file since it was opened.
  package var isFileMoved: Bool { openedFiles.map { !$0.hasDatabase } ?? false }

  /// The file as it was when ``isFileMoved`` was last asked.
  package var fileStatus: FileStatus? { openedFiles?.status }

  /// The same for the log. Asked inside a transaction that may write.
  package var isLogMoved: Bool { logState != .inPlace }

  private var logState: OpenedFiles.LogState {
    guard let openedFiles, let index = logIndex else { return .inPlace }
    return openedFiles.logState(index)
  }

  /// Whether another program has cut off or overwritten what this connection has written to the log.
  package var isLogDamaged: Bool { logState == .damaged }

  /// Whether the log stays as it is when the connection is closed, instead of being moved into the
  /// database. A log that is there when the database is opened stays until ``prepareForWriting()``: it
  /// may belong to another database, and destroy this one.
  package func keepLogWhenClosed(_ isKept: Bool = true) {
    try? setFlag(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isKept)
  }

  /// Whether the database keeps a write-ahead log.
  package var hasLog: Bool { (try? text("PRAGMA journal_mode")) == "wal" }
}
