import Dispatch
package import MagicSQLite

/// Determines when the free pages of a database are returned to the file system.
///
/// Pages are returned in short transactions, each after a commit, once more than a quarter of the
/// pages is free. They end when an eighth is free, so that the next inserts reuse pages.
///
/// Only the thread that has the writer uses this class.
package final class FreePagePolicy: @unchecked Sendable {
  /// The free space up to which no page is returned, in bytes.
  private let minimumSize: Int
  /// The same in pages, at the default page size until ``isSupported`` is read.
  private var minimum: Int
  /// Whether the file has incremental vacuum; nil if that was not read.
  private var isSupported: Bool?
  /// Whether pages are returned after the next commit.
  private(set) package var isReturning = false
  /// The number of pages that were written to the log since free pages were last counted.
  private var writtenPages = 0
  /// The size of the log after the last commit, in pages.
  private var lastLogSize = 0
  /// The number of changed rows when free pages were last counted.
  private var lastChanges: Int

  /// The time that one transaction may take, in seconds. Other writes wait for it.
  private static let longestStep = 0.005
  /// The same for the transaction before the database is closed.
  private static let longestLastStep = 0.1

  /// - Parameter minimumSize: the free space up to which no page is returned, in bytes.
  package init(watching writer: SQLiteConnection, minimumSize: Int) {
    self.minimumSize = minimumSize
    minimum = minimumSize / 4_096
    lastChanges = writer.totalChanges
  }

  /// Continues with another connection, or after the file was written again.
  package func watch(_ writer: SQLiteConnection) {
    (isSupported, isReturning) = (nil, false)
    (writtenPages, lastLogSize, lastChanges) = (0, 0, writer.totalChanges)
  }

  /// Whether pages are to be returned. Called after every commit, before the size of the log is
  /// reset.
  ///
  /// Free pages are counted only after many changed rows or many written pages, so that a commit
  /// costs nothing. A row with a large value frees many pages, and writes some of them.
  package func isDue(on writer: SQLiteConnection) -> Bool {
    guard let size = writer.logSize, isSupported != false else { return false }
    writtenPages += size >= lastLogSize ? size - lastLogSize : size
    lastLogSize = size
    if isReturning { return true }
    let changes = writer.totalChanges &- lastChanges
    guard writtenPages >= minimum / 2 || changes < 0 || changes >= minimum * 4 else { return false }
    isReturning = exceedsLimit(writer)
    return isReturning
  }

  /// Returns pages for a short time, inside a transaction.
  ///
  /// - Returns: whether the last pages were returned. If not, the next commit continues.
  package func returnPages(on writer: SQLiteConnection) throws -> Bool {
    try returnPages(on: writer, for: Self.longestStep)
  }

  /// The transaction that returns pages has failed. It is tried again after the next count.
  package func didFail() { isReturning = false }

  /// The writer is about to be closed, with no transaction open. An error is ignored, because
  /// nothing depends on it.
  package func willClose(_ writer: SQLiteConnection) {
    guard isSupported != false, isReturning || writtenPages > 0 && exceedsLimit(writer),
      !writer.isInTransaction, !writer.isFileMoved, !writer.isLogDamaged
    else { return }
    writer.setBusyTimeout(0)
    try? writer.transaction(.immediate) {
      guard !writer.isLogMoved else { return }
      _ = try returnPages(on: writer, for: Self.longestLastStep)
    }
  }

  /// Whether more than a quarter of the pages is free. A file that cannot be read is left as it is.
  private func exceedsLimit(_ writer: SQLiteConnection) -> Bool {
    (writtenPages, lastChanges) = (0, writer.totalChanges)
    guard readSupport(of: writer), let free = try? writer.freePageCount(), free > minimum,
      let counts = try? writer.pageCounts()
    else { return false }
    return counts.free > counts.all / 4
  }

  private func readSupport(of writer: SQLiteConnection) -> Bool {
    if let isSupported { return isSupported }
    guard let isIncremental = try? writer.hasIncrementalVacuum(),
      let pageSize = try? writer.integer("PRAGMA page_size")
    else { return false }
    isSupported = isIncremental
    minimum = minimumSize / max(1, Int(pageSize))
    return isIncremental
  }

  private func returnPages(on writer: SQLiteConnection, for seconds: Double) throws -> Bool {
    let counts = try writer.pageCounts()
    let kept = (counts.all - counts.free) / 7
    let wanted = counts.free - kept
    let end = DispatchTime.now() + seconds
    let returned = try writer.returnFreePages(atMost: wanted) { DispatchTime.now() < end }
    isReturning = returned > 0 && returned < wanted
    return !isReturning
  }
}
