package import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteMaintenance
import SQLiteTables

extension SharedStore {
  /// Returns all free pages to the file system.
  @available(*, noasync)
  package func compact(
    _ cancellation: CancellationToken, progress: @escaping (MagicCompactionProgress) -> Void
  ) throws -> MagicCompaction {
    let compaction = Compaction(cancellation) { [self] report in
      withReentrancyGuard { progress(report) }
    }
    let before = try pageState()
    if before.isIncremental {
      try compaction.returnPages(of: before.counts) { body in
        try write(timeout: busyTimeout) { try body($0.store.connection) }
      }
      try readOnWriter { log?.afterCompaction(on: $0.connection) }
    } else {
      try rewrite(compaction)
    }
    return MagicCompaction(bytesBefore: before.bytes, bytesAfter: try pageState().bytes)
  }

  private struct PageState {
    let isIncremental: Bool
    let counts: SQLiteConnection.PageCounts
    let bytes: Int
  }

  private func pageState() throws -> PageState {
    try readOnWriter { writer in
      let connection = writer.connection
      let counts = try connection.pageCounts()
      let size = Int(try connection.integer("PRAGMA page_size") ?? 0)
      return PageState(
        isIncremental: try connection.hasIncrementalVacuum(), counts: counts,
        bytes: counts.all * size)
    }
  }

  /// Writes the entire file again, in one transaction.
  @available(*, noasync)
  private func rewrite(_ compaction: Compaction) throws {
    let pool = try requireWriter()
    try checkNotReentrant()
    try pool.withConnectionBlocking { writer in
      do {
        try translatingErrors {
          try checkWritable(with: writer)
          let version = writer.connection.dataVersion
          try rewrite(compaction, writer)
          didRewrite(with: writer, after: version)
        }
      } catch {
        noteDamage(error)
        if (error as? MagicError)?.code == .diskFull { log?.afterFullDisk(on: writer.connection) }
        throw error
      }
    }
  }

  /// Checks that the file may be written, as for a transaction: SQLite itself begins the one that
  /// writes the file again.
  private func checkWritable(with writer: StoreConnection) throws {
    let batch = CommitBatch(writer: writer) {
      try self.openTransaction(on: $0, timeout: self.busyTimeout)
    }
    try batch.beginIfNeeded()
    batch.rollBack()
  }

  private func rewrite(_ compaction: Compaction, _ writer: StoreConnection) throws {
    // SQLite deletes temporary tables and triggers before and after the body.
    writer.hook?.willDropTemporaryTables()
    defer { writer.hook?.willDropTemporaryTables() }
    try writer.connection.sortingInFiles { try compaction.rewrite(writer.connection) }
  }

  /// - Parameter version: the data version of the file before.
  private func didRewrite(with writer: StoreConnection, after version: UInt32?) {
    let connection = writer.connection
    // If another process has committed too, the next transaction finds an unknown version.
    if let version, connection.dataVersion == version &+ 1 {
      writer.hook?.didCommit(connection.dataVersion)
      writer.rowIDs.didCommit(connection.dataVersion)
    }
    if isDurable { log?.recordCommit(on: connection) }
    log?.afterCommit(on: connection, mayWait: true)
    log?.afterCompaction(on: connection)
    freePages?.watch(connection)
  }
}
