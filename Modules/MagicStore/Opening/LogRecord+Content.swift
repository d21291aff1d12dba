import CMagicRuntime
import MagicRuntime
import MagicSQLite
import MagicSchema

extension LogRecord {
  /// One record, seven words of eight bytes in the file.
  struct Content: Equatable {
    /// Tell the log from those that were in the same file before.
    let salts: UInt64
    /// How many frames the log has.
    let frames: UInt64
    /// How many of them the database has too.
    let checkpointedFrames: UInt64
    /// When the database's file had been written to by then, in nanoseconds, and its size.
    let modified: Int64
    let size: Int64

    private static let signature: UInt64 = 0x676F_4C63_6967_614D

    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// In bytes.
    static let size = MemoryLayout<Words>.size

    private var words: Words {
      let (modified, size) = (UInt64(bitPattern: modified), UInt64(bitPattern: size))
      return (Self.signature, salts, frames, checkpointedFrames, modified, size, digest)
    }

    /// FNV-1a over the words before it.
    private var digest: UInt64 {
      var digest: UInt64 = 0xcbf2_9ce4_8422_2325
      func add(_ word: UInt64) { digest = (digest ^ word) &* 0x100_0000_01b3 }
      add(Self.signature)
      add(salts)
      add(frames)
      add(checkpointedFrames)
      add(UInt64(bitPattern: modified))
      add(UInt64(bitPattern: size))
      return digest
    }

    /// Whether the database has all that the log has.
    var isCheckpointed: Bool { checkpointedFrames >= frames }

    func withBytes(_ body: (UnsafeRawPointer) -> Void) {
      withUnsafeBytes(of: words) { bytes in
        if let start = bytes.baseAddress { body(start) }
      }
    }

    init(
      salts: UInt64, frames: UInt64, checkpointedFrames: UInt64, modified: Int64, size: Int64
    ) {
      (self.salts, self.frames, self.checkpointedFrames) = (salts, frames, checkpointedFrames)
      (self.modified, self.size) = (modified, size)
    }

    /// Nil where the file has no whole record.
    init?(path: String) {
      let descriptor = magic_open_file(path, false)
      guard descriptor >= 0 else { return nil }
      defer { magic_close_file(descriptor) }
      var words: Words = (0, 0, 0, 0, 0, 0, 0)
      guard magic_read_file(descriptor, &words, Self.size, 0) == Self.size,
        words.0 == Self.signature
      else { return nil }
      self.init(
        salts: words.1, frames: words.2, checkpointedFrames: words.3,
        modified: Int64(bitPattern: words.4), size: Int64(bitPattern: words.5))
      guard words.6 == digest else { return nil }
    }
  }

  /// A loss of commits that were in the log.
  enum Loss {
    /// What is left is a state of the database as it was after an earlier commit.
    case ofLastCommits
    /// What is in the log's place damages the database: the log of another one, or so little of the
    /// beginning that the database is newer.
    case ofWholeLog
  }

  /// Whether the log of a database is another one than that of its record. Asked before SQLite reads it.
  static func showsOtherLog(of database: String) -> Bool {
    seenRepeatedly {
      Content(path: database + suffix).flatMap {
        $0.isOfOtherLog(than: database + "-wal", of: database) ? true : nil
      }
    } ?? false
  }

  /// Nil where no commit is missing. Another program may have moved the log into the database: then
  /// the file was written to since.
  ///
  /// SQLite takes what is left of a log that was cut off, although the database may have more by then,
  /// and the log of another database too. Either damages the file.
  ///
  /// - Parameter connection: has read the database, so that SQLite has looked through the log.
  static func loss(of database: String, _ connection: SQLiteConnection) -> Loss? {
    seenRepeatedly {
      Content(path: database + suffix).flatMap {
        $0.frames > 0 ? $0.loss(of: database, connection) : nil
      }
    }
  }

  /// Looks three times: another process may be writing the log and the record just now.
  ///
  /// - Returns: what was seen last; nil where one look saw nothing.
  private static func seenRepeatedly<Fault>(_ look: () -> Fault?) -> Fault? {
    var fault: Fault?
    for _ in 0..<3 {
      fault = look()
      guard fault != nil else { return nil }
      CurrentThread.pause(microseconds: 1_000)
    }
    return fault
  }
}

extension LogRecord.Content {
  fileprivate func loss(of database: String, _ connection: SQLiteConnection) -> LogRecord.Loss? {
    // Without a log, to look at its index would create one.
    let index = connection.hasLog ? connection.logIndex : nil
    if let index, index.salts == salts {
      if index.frames >= frames || index.frames == 0 && isCheckpointed { return nil }
      let isOlder = index.frames > 0 && index.frames < checkpointedFrames
      return isOlder ? .ofWholeLog : .ofLastCommits
    }
    // A connection that may not write the index has one of its own.
    if index == nil, connection.hasLog, FileStatus(path: database + "-wal")?.size ?? 0 > 0 {
      return nil
    }
    guard !isCheckpointed, let file = FileStatus(path: database), file.modified == modified,
      file.size == size
    else { return nil }
    return index.map { $0.frames > 0 } ?? false ? .ofWholeLog : .ofLastCommits
  }

  /// Whether the log's file is another one than that of the record, with commits that the database has
  /// not. It is not to be read.
  fileprivate func isOfOtherLog(than log: String, of database: String) -> Bool {
    guard !isCheckpointed, let file = FileStatus(path: database), file.modified == modified,
      file.size == size
    else { return false }
    let descriptor = magic_open_file(log, false)
    guard descriptor >= 0 else { return false }
    defer { magic_close_file(descriptor) }
    var salts: UInt64 = 0
    let count = MemoryLayout<UInt64>.size
    return magic_read_file(descriptor, &salts, count, 16) == count && salts != self.salts
  }
}
