import CMagicRuntime
package import MagicEngine
import MagicRuntime
package import MagicSQLite
import MagicSchema

/// Rows that were looked up by primary, for all readers of a database.
///
/// A row is valid for one header of the log's index. Every commit of any process changes the
/// header before it is acknowledged, so a read that compares it first misses no commit. The commits
/// of this process name the rows that they change, so other rows stay valid; a commit of another
/// connection makes all rows invalid.
package final class RowCache: @unchecked Sendable {
  private let commits: Mutex<RecentCommits>
  private let shards: [RowCacheShard]
  /// Whether writes record the rows that they change: once a row was added.
  private let recordsWrites: UnsafeMutablePointer<UInt32>

  private let maximumRowSize: Int

  private static let shardCount = 8

  /// - Parameter size: the maximum size of all rows and tables, in bytes; nil is returned for 0.
  package init?(size: Int) {
    guard size > 0 else { return nil }
    // The changes need at most a sixteenth of the memory.
    let keptChanges = min(2048, size / 512)
    commits = Mutex(RecentCommits(keptChanges: keptChanges))
    let shardSize = (size - size / 16) / Self.shardCount
    shards = (0..<Self.shardCount).map { _ in RowCacheShard(maximumSize: shardSize) }
    maximumRowSize = min(shardSize / 8, CachedRow.maximumSize)
    recordsWrites = .allocate(capacity: 1)
    recordsWrites.initialize(to: 0)
  }

  deinit { recordsWrites.deallocate() }

  package var statistics: MagicCacheStatistics {
    shards.reduce(into: MagicCacheStatistics()) { sum, shard in
      sum += shard.withLock { shard.statistics }
    }
  }

  /// The memory of all rows and tables, in bytes.
  ///
  /// - Complexity: O(n) in the number of rows.
  package var memory: Int {
    shards.reduce(commits.withLock { $0.memory }) { sum, shard in
      sum + shard.withLock { shard.memory }
    }
  }

  // MARK: Connections

  /// A connection of this process was opened.
  func didOpen() { commits.withLock { $0.openConnections += 1 } }

  /// A connection of this process is about to be closed. With the last one, all rows are removed: the
  /// log may be removed then, and the headers of two empty logs are equal.
  func willClose() {
    let isLast = commits.withLock { commits in
      commits.openConnections -= 1
      if commits.openConnections == 0 { commits.adopt(nil) }
      return commits.openConnections == 0
    }
    guard isLast else { return }
    for shard in shards {
      shard.withLock { commits.withLock { shard.removeAll($0) } }
    }
  }

  // MARK: Reading

  enum LookUp {
    case found(CachedRow)
    /// The cache lacks the row. A row that is read now counts as read after this commit.
    case missing(commit: UInt64)
    /// The last commit is not known now.
    case unknown
  }

  /// Looks up a row.
  ///
  /// - Parameters:
  ///   - index: the address of the log's index.
  ///   - countsMisses: whether a missing row is counted.
  func find(
    _ key: RowKey, _ index: UnsafeRawPointer, countingMisses countsMisses: Bool = true
  ) -> LookUp {
    let shard = shard(of: key)
    return shard.withLock {
      guard isCurrent(shard, index) else { return .unknown }
      if let row = shard.find(key, countsMisses) { return .found(row) }
      return .missing(commit: shard.commit)
    }
  }

  /// Adds a row that was read after ``find(_:_:countingMisses:)`` has returned the number of a commit.
  ///
  /// - Parameters:
  ///   - chunk: contains only this row.
  ///   - schema: the type of the key and the row.
  ///   - table: the hash of the table's name.
  func insert(
    _ chunk: RowChunk, for key: RowKey, of schema: ObjectSchema, table: UInt64, commit: UInt64
  ) {
    // Enough also if the row does not contain the bytes of the key.
    guard chunk.capacity + key.bytes.count <= maximumRowSize else { return }
    if !magic_flag_load(recordsWrites) { magic_flag_store(recordsWrites, true) }
    let rowHash = ChangedRows.hash(table, chunk.row(0).zIndex)
    let row = CachedRow.copy(chunk, for: key, of: schema, rowHash: rowHash, commit: commit)
    let shard = shard(of: key)
    // If there was a commit since, the row may be of either state, and counts as the older one.
    shard.withLock { shard.insert(row, for: key) }
  }

  private func shard(of key: RowKey) -> RowCacheShard { shards[key.hash & (Self.shardCount - 1)] }

  /// Updates the shard if there was a commit.
  @inline(__always)
  private func isCurrent(_ shard: RowCacheShard, _ index: UnsafeRawPointer) -> Bool {
    shard.isCurrent(index) || update(shard, index)
  }

  private func update(_ shard: RowCacheShard, _ index: UnsafeRawPointer) -> Bool {
    commits.withLock { commits in
      guard let header = LogHeader(index) else { return false }
      if commits.header != header {
        // The commit of a transaction of this process is not recorded yet.
        guard !commits.isWriting else { return false }
        commits.adopt(header)
      }
      shard.update(to: commits)
      return true
    }
  }

  // MARK: Writing

  /// A transaction has begun on a connection that writes, with SQLite's lock for writing.
  ///
  /// - Returns: the record of the rows that it changes; nil if no rows are cached.
  func willWrite(on connection: SQLiteConnection) -> ChangedRows? {
    guard magic_flag_load(recordsWrites), let index = connection.logIndexAddress else { return nil }
    let rows = connection.recordChangedRows()
    rows.begin()
    commits.withLock { $0.willWrite(LogHeader(index)) }
    return rows
  }

  /// The transaction was committed.
  package func didCommit(on connection: SQLiteConnection) {
    guard let rows = connection.changedRows, rows.hasBegun else { return }
    rows.end()
    let header = connection.logIndexAddress.flatMap { LogHeader($0) }
    commits.withLock { $0.didCommit(header, rows) }
  }

  /// The transaction was rolled back.
  package func didRollBack(on connection: SQLiteConnection) {
    guard let rows = connection.changedRows, rows.hasBegun else { return }
    rows.end()
    commits.withLock { $0.didRollBack() }
  }
}
