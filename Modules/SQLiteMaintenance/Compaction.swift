import Dispatch
package import MagicEngine
package import MagicSQLite

/// Returns all free pages of a database to the file system.
///
/// In a file with incremental vacuum, pages at the end are moved to free pages, in short
/// transactions. Any other file is written again, in one transaction, and has incremental vacuum
/// from then on.
package struct Compaction {
  private let cancellation: CancellationToken
  private let report: (MagicCompactionProgress) -> Void

  package init(
    _ cancellation: CancellationToken, _ report: @escaping (MagicCompactionProgress) -> Void
  ) {
    self.cancellation = cancellation
    self.report = report
  }

  /// The time that one transaction takes, in nanoseconds. Other writes wait for it.
  private static let longestStep: UInt64 = 50_000_000

  /// Returns pages in short transactions, until none is free.
  ///
  /// - Parameters:
  ///   - counts: the numbers of pages.
  ///   - transaction: runs a transaction.
  package func returnPages(
    of counts: SQLiteConnection.PageCounts,
    transaction: ((SQLiteConnection) throws -> SQLiteConnection.PageCounts) throws ->
      SQLiteConnection.PageCounts
  ) throws {
    var (last, count) = (counts.free, counts.free)
    while last > 0 {
      report(MagicCompactionProgress(pagesDone: count - last, pageCount: count))
      try cancellation.check()
      let left = try transaction { connection in
        let end = DispatchTime.now().uptimeNanoseconds + Self.longestStep
        _ = try connection.returnFreePages(atMost: .max) {
          !cancellation.isCancelled && DispatchTime.now().uptimeNanoseconds < end
        }
        return try connection.pageCounts()
      }
      // Other writes free and use pages meanwhile.
      guard left.free != last || cancellation.isCancelled else { break }
      count = max(count, left.free)
      last = left.free
    }
    try cancellation.check()
    report(MagicCompactionProgress(pagesDone: count, pageCount: count))
  }

  /// Writes the database again, in one transaction. Called outside a transaction, on a connection
  /// that stores temporary tables in files.
  package func rewrite(_ connection: SQLiteConnection) throws {
    let free = try connection.pageCounts().free
    report(MagicCompactionProgress(pagesDone: 0, pageCount: max(1, free)))
    try connection.withCancellationCheck({ [cancellation] in cancellation.isCancelled }) {
      try connection.vacuum()
    }
    report(MagicCompactionProgress(pagesDone: max(1, free), pageCount: max(1, free)))
  }
}
