import MagicSQLite

/// The last commits of this process, with the rows that they have changed.
struct RecentCommits: Sendable {
  /// The header of the log's index after the last known commit; nil if none is known.
  private(set) var header: LogHeader?
  /// The number of the last known commit. Commits of others count as one when they are detected.
  private(set) var number: UInt64 = 0
  /// Of the commits up to this number, the changed rows are not known.
  private(set) var unknownUpTo: UInt64 = 0
  /// The hashes of the rows that later commits have changed, in the order of the commits.
  private var changes: [(commit: UInt64, row: UInt64)] = []
  /// Whether the rows of an open transaction are recorded. The header then changes only by its
  /// commit, because the transaction has SQLite's lock for writing.
  private(set) var isWriting = false

  /// The number of connections of this process.
  var openConnections = 0

  /// The number of changes that are kept at least, if there are as many.
  private let keptChanges: Int

  /// - Parameter keptChanges: the number of changes that are kept at least; more than twice as many never
  ///   are.
  init(keptChanges: Int = 2048) { self.keptChanges = keptChanges }

  /// The memory of the changes, in bytes.
  var memory: Int { changes.capacity * MemoryLayout<(commit: UInt64, row: UInt64)>.stride }

  /// Calls a body with the hash of each row that a commit after a number has changed, with the
  /// number of the commit.
  func forEachChange(after number: UInt64, _ body: (UInt64, UInt64) -> Void) {
    for change in changes.reversed() {
      guard change.commit > number else { return }
      body(change.commit, change.row)
    }
  }

  /// Accepts a new header, whose changes are not known.
  mutating func adopt(_ new: LogHeader?) {
    number += 1
    unknownUpTo = number
    changes.removeAll(keepingCapacity: new != nil)
    header = new
  }

  /// A transaction that records its rows has begun.
  ///
  /// - Parameter current: the current header.
  mutating func willWrite(_ current: LogHeader?) {
    isWriting = true
    if header != current { adopt(current) }
  }

  mutating func didRollBack() { isWriting = false }

  /// The transaction was committed.
  ///
  /// - Parameters:
  ///   - current: the current header; nil if it is being changed.
  ///   - rows: the rows of the transaction.
  mutating func didCommit(_ current: LogHeader?, _ rows: ChangedRows) {
    isWriting = false
    // A transaction without changes writes nothing: a new header is that of another connection. The next
    // read finds it, as it does without a header.
    guard rows.isWritten, let known = header, let current else { return }
    // Another connection may have committed after this one.
    guard rows.isComplete, current.commitCount == known.commitCount &+ 1,
      rows.hashes.count <= keptChanges
    else { return adopt(current) }
    makeRoom(for: rows.hashes.count)
    number += 1
    header = current
    changes.append(contentsOf: rows.hashes.lazy.map { [number] in (number, $0) })
  }

  /// Removes the oldest changes if more changes would need more memory.
  private mutating func makeRoom(for count: Int) {
    if changes.capacity == 0 { changes.reserveCapacity(2 * keptChanges) }
    guard changes.count + count > 2 * keptChanges else { return }
    let removed = changes.count + count - keptChanges
    unknownUpTo = changes[removed - 1].commit
    changes.removeFirst(removed)
  }
}
