import CMagicRuntime
import MagicRuntime
package import MagicSQLite
import MagicSchema

extension LogRecord {
  /// One record: seven words of eight bytes in the file.
  struct Content: Equatable {
    /// Distinguishes the log from earlier logs in the same file.
    let salts: UInt64
    /// The number of frames in the log.
    let frames: UInt64
    /// The number of frames that were copied to the database.
    let checkpointedFrames: UInt64
    /// The modification time of the database file at that time, in nanoseconds, and its size.
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

    /// Whether the entire log was copied to the database.
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

    /// Returns nil if the file has no complete record.
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
  package enum Loss {
    /// The remaining data is the state of the database after an earlier commit.
    case ofLastCommits
    /// The log that exists now would damage the database: it belongs to another database, or it
    /// ends before the frames that were already copied to the database.
    case ofEntireLog
  }

  /// Returns the loss of commits; nil if none is missing. Another program may have copied the log
  /// to the database: the file was then written since the record.
  ///
  /// SQLite accepts the rest of a truncated log even if the database is already newer, and it
  /// accepts the log of another database too. Both damage the file.
  ///
  /// - Parameter connection: a connection that has read the database, so that SQLite has read the
  ///   log.
  package static func loss(of database: String, _ connection: SQLiteConnection) -> Loss? {
    loss(of: database) { $0.loss(of: database, connection) }
  }

  /// The same before SQLite reads the log. Detects only the log of another database.
  package static func lossBeforeReading(of database: String) -> Loss? {
    loss(of: database) { $0.lossBeforeReading(of: database) }
  }

  /// Checks three times, because another process may be writing the log and the record at this
  /// moment.
  private static func loss(of database: String, look: (Content) -> Loss?) -> Loss? {
    var loss: Loss?
    for _ in 0..<3 {
      guard let content = Content(path: database + suffix), content.frames > 0 else { return nil }
      loss = look(content)
      guard loss != nil else { return nil }
      CurrentThread.pause(microseconds: 1_000)
    }
    return loss
  }
}

extension LogRecord.Content {
  fileprivate func loss(of database: String, _ connection: SQLiteConnection) -> LogRecord.Loss? {
    let hasLog = connection.hasLog
    // Without a log, reading its index would create one.
    let index = hasLog ? connection.walIndex : nil
    if let index, index.salts == salts {
      if index.frames >= frames || index.frames == 0 && isCheckpointed { return nil }
      let isOlder = index.frames > 0 && index.frames < checkpointedFrames
      return isOlder ? .ofEntireLog : .ofLastCommits
    }
    // A connection that may not write the index has its own index.
    if index == nil, hasLog, FileStatus(path: database + "-wal")?.size ?? 0 > 0 { return nil }
    guard isMissing(in: database) else { return nil }
    return index.map { $0.frames > 0 } ?? false ? .ofEntireLog : .ofLastCommits
  }

  /// The same before the log is read: whether it is another log.
  fileprivate func lossBeforeReading(of database: String) -> LogRecord.Loss? {
    guard isMissing(in: database), let found = WALHeader.salts(inLogAt: database + "-wal") else {
      return nil
    }
    return found == salts ? nil : .ofEntireLog
  }

  /// Whether a database lacks frames of the log, and was not written since the record.
  private func isMissing(in database: String) -> Bool {
    guard !isCheckpointed, let file = FileStatus(path: database) else { return false }
    return file.modified == modified && file.size == size
  }
}
