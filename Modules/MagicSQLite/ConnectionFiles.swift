import CMagicRuntime
import MagicRuntime

/// The database file and the write-ahead log that a connection has open.
///
/// If another program deletes, replaces or truncates one of these files, SQLite continues to use
/// the file that it opened, and everything that it then writes is lost. This class detects that.
final class ConnectionFiles {
  private let path: String
  private let logPath: String
  private let database: FileIdentity
  /// The status of the database file at the last check.
  private(set) var status: FileStatus?
  /// Whether the database file has ever had content. A new database is empty at first.
  private var hasHadContent: Bool
  private var log: (file: FileIdentity, descriptor: Int32)?

  /// Returns nil if the file does not exist.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.path = path
    logPath = path + "-wal"
    self.status = status
    database = FileIdentity(status)
    hasHadContent = status.size > 0
  }

  deinit { closeLog() }

  /// Closes the log's descriptor, which must not stay open until the connection is released.
  func closeLog() {
    if let log { magic_close_file(log.descriptor) }
    log = nil
  }

  /// Whether the database file is still at its path and was not truncated to zero bytes.
  var hasDatabase: Bool {
    status = FileStatus(path: path)
    guard let status, FileIdentity(status) == database else { return false }
    if status.size > 0 { hasHadContent = true }
    return status.size > 0 || !hasHadContent
  }

  /// Whether the file of the write-ahead log has content.
  var hasLogContent: Bool { FileStatus(path: logPath, withTime: false)?.size ?? 0 > 0 }

  /// The state of the write-ahead log that an index describes.
  enum LogState {
    case inPlace
    /// The path names another file, or no file. The log that this process has open is complete.
    case moved
    /// The content was truncated or overwritten.
    case damaged
  }

  /// Returns the state of the log.
  ///
  /// The result is exact inside a transaction that may write, because no other connection changes
  /// the log during that time.
  func logState(_ index: WALIndex) -> LogState {
    guard let status = FileStatus(path: logPath, withTime: false) else { return .moved }
    let file = FileIdentity(status)
    guard let log = log ?? openLog(file), log.file == file else { return .moved }
    guard index.frames > 0 else { return .inPlace }
    return status.size >= index.size && WALHeader.salts(log.descriptor) == index.salts
      ? .inPlace : .damaged
  }

  /// Opens the log if it is not open. The caller has made SQLite open the log before.
  func openLog() {
    if log == nil, let file = FileIdentity(path: logPath) { _ = openLog(file) }
  }

  private func openLog(
    _ file: FileIdentity
  ) -> (file: FileIdentity, descriptor: Int32)? {
    let descriptor = magic_open_file(logPath, false)
    guard descriptor >= 0 else { return nil }
    log = (file, descriptor)
    return log
  }
}
