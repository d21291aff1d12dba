import Foundation
import MagicSQLite

/// The files beside a database that SQLite creates for reading it.
extension InspectionReader {
  /// Whether the file has a write-ahead log. SQLite creates an empty one, and its index, when a file that
  /// has none is read.
  var hasLog: Bool {
    (try? map("PRAGMA journal_mode") { $0.column(0).text }) == ["wal"]
  }

  /// Deletes the empty log and its index. They stay if another connection has the file open, and where
  /// this process may not write.
  ///
  /// A connection that only reads cannot delete them, because it cannot exclude other programs. The last
  /// connection that may write does so when it is closed. It writes nothing to the database: an empty log
  /// has no commit.
  ///
  /// - Parameter path: the path of a file that has a log. Of another file, the journal mode would change.
  static func deleteEmptyLog(of path: String) {
    let files = FileManager.default
    guard files.fileExists(atPath: path + "-wal"), fileSize(path + "-wal") == 0,
      !files.fileExists(atPath: path + "-journal")
    else { return }
    let configuration = SQLiteConfiguration(
      access: .readWriteExisting, busyTimeout: 0, cacheSize: 64)
    try? SQLiteConnection(path: path, configuration: configuration).close()
  }
}
