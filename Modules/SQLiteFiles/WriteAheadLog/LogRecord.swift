import CMagicRuntime
import Foundation
import MagicRuntime
import MagicSQLite
import MagicSchema

/// Records the state of the write-ahead log after the last commit, in a small file next to the
/// database. With it, a missing, truncated or damaged log is detected when the database is opened.
///
/// Only commits that are on disk are recorded. The record is not synced after each commit: after a
/// power failure it may be older than the log, never newer. It is synced when the entire log was
/// copied to the database, before the log is restarted, so an older record never reports a loss.
/// The record is deleted with the log when the database is closed.
///
/// Only the thread that has the writer uses this class.
package final class LogRecord {
  /// The suffix of the file's name after the database's name.
  package static let suffix = "-commits"

  private let database: String
  private var path: String { database + Self.suffix }
  /// The open file; -1 until something is recorded.
  private var descriptor: Int32 = -1
  private var written: Content?

  /// - Parameter database: the path of the database.
  package init(of database: String) { self.database = database }

  deinit { close() }

  /// Records a commit that is on disk.
  ///
  /// - Parameter frames: the number of frames in the log after the commit.
  func noteCommit(_ frames: Int, on connection: SQLiteConnection) {
    guard let index = connection.walIndex else { return }
    // Another process may have restarted the log since, or have appended frames that are not on
    // disk.
    write(index, frames: min(UInt64(frames), UInt64(index.frames)), connection.fileStatus)
  }

  /// Records that frames were copied to the database.
  func noteCheckpoint(on connection: SQLiteConnection) {
    guard let written, let index = connection.walIndex else { return }
    write(
      index, frames: written.salts == index.salts ? written.frames : 0, FileStatus(path: database))
    guard let new = self.written, new != written, new.isCheckpointed else { return }
    // Without this sync, a power failure could look like a loss of the log.
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
    // A write error is ignored: without the record, fewer losses are detected.
    content.withBytes { _ = magic_write_file(descriptor, $0, Content.size, 0) }
  }

  /// Closes the record after the database was closed. If the log does not exist, it was copied to
  /// the database.
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
