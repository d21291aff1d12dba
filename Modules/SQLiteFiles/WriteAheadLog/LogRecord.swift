import CMagicRuntime
import Foundation
import MagicRuntime
import MagicSQLite
import MagicSchema

/// What the write-ahead log of a database held after the last commit, in a small file beside it. So a log
/// that is missing, cut off or damaged is noticed when the database is opened.
///
/// Only commits that have reached the disk are recorded. The record itself is not synced after each: after
/// a loss of power it may be older than the log, never newer. It is synced where the database has all
/// of the log, before the log is restarted: so an older record does not tell of a loss. It is removed
/// with the log when the database is closed.
///
/// Used by the thread that has the writer.
package final class LogRecord {
  /// What the file's name has behind the database's.
  package static let suffix = "-commits"

  private let database: String
  private var path: String { database + Self.suffix }
  /// -1 until something is recorded.
  private var descriptor: Int32 = -1
  private var written: Content?

  /// - Parameter database: the path of the database.
  package init(of database: String) { self.database = database }

  deinit { close() }

  /// Records a commit that has reached the disk.
  ///
  /// - Parameter frames: how many frames the log had after it.
  func noteCommit(_ frames: Int, on connection: SQLiteConnection) {
    guard let index = connection.walIndex else { return }
    // Another process may have restarted the log since, or have written more that is not on the disk.
    write(index, frames: min(UInt64(frames), UInt64(index.frames)), connection.fileStatus)
  }

  /// Records that frames were moved into the database.
  func noteCheckpoint(on connection: SQLiteConnection) {
    guard let written, let index = connection.walIndex else { return }
    write(
      index, frames: written.salts == index.salts ? written.frames : 0, FileStatus(path: database))
    guard let new = self.written, new != written, new.isCheckpointed else { return }
    // Without that, a loss of power may look like a loss of the log.
    _ = magic_sync_file(descriptor)
  }

  private func write(_ index: WALIndex, frames: UInt64, _ file: FileStatus?) {
    guard let file else { return }
    let content = Content(
      salts: index.salts, frames: frames, checkpointedFrames: UInt64(index.checkpointedFrames),
      modified: file.modified, size: file.size)
    guard content != written else { return }
    if descriptor < 0 { descriptor = magic_open_file(path, true) }
    guard descriptor >= 0 else { return }
    written = content
    // Without a record, less is noticed.
    content.withBytes { _ = magic_write_file(descriptor, $0, Content.size, 0) }
  }

  /// The database was closed. Where its log is gone, all of it is in the database.
  func closeAfterDatabase() {
    close()
    if FileStatus(path: database + "-wal") == nil { remove() }
  }

  private func close() {
    if descriptor >= 0 { magic_close_file(descriptor) }
    descriptor = -1
    written = nil
  }

  package func remove() { unlink(path) }
}
