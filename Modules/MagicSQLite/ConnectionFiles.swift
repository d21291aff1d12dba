import CMagicRuntime
import MagicRuntime

/// The file of a database and its write-ahead log, as a connection has opened them.
///
/// SQLite goes on with a file that another program has removed, replaced or emptied: what it then writes
/// is lost. Here this is noticed.
final class ConnectionFiles {
  private let path: String
  private let logPath: String
  private let database: FileIdentity
  /// The file of the database when it was last looked at.
  private(set) var status: FileStatus?
  /// A new database is empty at first.
  private var hasHadContent: Bool
  private var log: (file: FileIdentity, descriptor: Int32)?

  /// Nil where there is no file.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.path = path
    logPath = path + "-wal"
    self.status = status
    database = FileIdentity(status)
    hasHadContent = status.size > 0
  }

  deinit { closeLog() }

  /// Closes the log. Its descriptor is not left open until the connection is released.
  func closeLog() {
    if let log { magic_close_file(log.descriptor) }
    log = nil
  }

  /// Whether the file of the database is where it was, and was not emptied.
  var hasDatabase: Bool {
    status = FileStatus(path: path)
    guard let status, FileIdentity(status) == database else { return false }
    if status.size > 0 { hasHadContent = true }
    return status.size > 0 || !hasHadContent
  }

  /// Whether the log's file holds anything.
  var hasLogContent: Bool { FileStatus(path: logPath)?.size ?? 0 > 0 }

  /// What became of the log that an index describes.
  enum LogState {
    case inPlace
    /// Another file has its name, or none. What this process has opened is whole.
    case moved
    /// Its content was cut off or overwritten.
    case damaged
  }

  /// Exact for a connection that asks inside a transaction that may write: no other changes the log then.
  func logState(_ index: WALIndex) -> LogState {
    guard let status = FileStatus(path: logPath) else { return .moved }
    let file = FileIdentity(status)
    guard let log = log ?? openLog(file), log.file == file else { return .moved }
    guard index.frames > 0 else { return .inPlace }
    return status.size >= index.size && WALHeader.salts(log.descriptor) == index.salts
      ? .inPlace : .damaged
  }

  /// Opens the log where that was not done. Called when SQLite has opened it.
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
