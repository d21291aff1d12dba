import CMagicRuntime
import MagicRuntime
import MagicSQLite
import MagicSchema

extension LogRecord {
  /// One record, six words of eight bytes in the file.
  struct Content: Equatable {
    /// Tell the log from those that were in the same file before.
    let salts: UInt64
    /// How many frames the log has that are not all in the database; 0 where they are.
    let frames: UInt64
    /// When the database's file had been written to by then, in nanoseconds, and its size.
    let modified: Int64
    let size: Int64

    private static let signature: UInt64 = 0x676F_4C63_6967_614D

    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// In bytes.
    static let size = MemoryLayout<Words>.size

    private var words: Words {
      let (modified, size) = (UInt64(bitPattern: modified), UInt64(bitPattern: size))
      return (Self.signature, salts, frames, modified, size, digest)
    }

    /// FNV-1a over the words before it.
    private var digest: UInt64 {
      var digest: UInt64 = 0xcbf2_9ce4_8422_2325
      func add(_ word: UInt64) { digest = (digest ^ word) &* 0x100_0000_01b3 }
      add(Self.signature)
      add(salts)
      add(frames)
      add(UInt64(bitPattern: modified))
      add(UInt64(bitPattern: size))
      return digest
    }

    func withBytes(_ body: (UnsafeRawPointer) -> Void) {
      withUnsafeBytes(of: words) { bytes in
        if let start = bytes.baseAddress { body(start) }
      }
    }

    init(salts: UInt64, frames: UInt64, modified: Int64, size: Int64) {
      (self.salts, self.frames, self.modified, self.size) = (salts, frames, modified, size)
    }

    /// Nil where the file has no whole record.
    init?(path: String) {
      let descriptor = magic_open_file(path, false)
      guard descriptor >= 0 else { return nil }
      defer { magic_close_file(descriptor) }
      var words: Words = (0, 0, 0, 0, 0, 0)
      guard magic_read_file(descriptor, &words, Self.size, 0) == Self.size,
        words.0 == Self.signature
      else { return nil }
      self.init(
        salts: words.1, frames: words.2, modified: Int64(bitPattern: words.3),
        size: Int64(bitPattern: words.4))
      guard words.5 == digest else { return nil }
    }
  }

  /// Whether commits are missing in the log that the record of a database tells of. Another program may
  /// have moved the log into the database: then its file was written to since.
  ///
  /// - Parameter connection: has read the database, so that SQLite has looked through the log.
  static func showsLoss(of database: String, _ connection: SQLiteConnection) -> Bool {
    // Another process may be writing both just now.
    for _ in 0..<3 {
      guard let content = Content(path: database + suffix), content.frames > 0,
        let file = FileStatus(path: database)
      else { return false }
      // Without a log, to look at its index would create one.
      let index = connection.hasLog ? connection.logIndex : nil
      if let index, index.salts == content.salts {
        if index.frames >= content.frames { return false }
      } else if let index, index.isRestarted(since: content.salts) {
        return false
      } else if index == nil, FileStatus(path: database + "-wal")?.size ?? 0 > 0 {
        // A connection that may not write the index has one of its own.
        return false
      } else if file.modified != content.modified || file.size != content.size {
        return false
      }
      CurrentThread.pause(microseconds: 1_000)
    }
    return true
  }
}
