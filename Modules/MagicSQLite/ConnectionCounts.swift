import CMagicRuntime
import MagicRuntime

/// Counts the connections that this process has open on each database file.
///
/// SQLite records in memory which locks its process holds on a file. After a fork, the child
/// process has a copy of these records but holds none of the locks. A connection that the child
/// opened on the same file would treat the parent's locks as its own, and other processes could
/// write while it reads.
final class ConnectionCounts: Sendable {
  static let shared = ConnectionCounts()

  private let uses = Mutex<[FileIdentity: Use]>([:]).lockedDuringForks()

  private struct Use: Sendable {
    let origin = ProcessOrigin()
    var count = 0
  }

  /// Records that a connection will be opened on a file.
  ///
  /// - Throws: ``SQLiteError`` if the file was open when this process was forked.
  func enter(_ file: FileIdentity) throws(SQLiteError) {
    let isInherited = uses.withLock { uses in
      var use = uses[file] ?? Use()
      guard !use.origin.isForked else { return true }
      use.count += 1
      uses[file] = use
      return false
    }
    guard !isInherited else { throw .forked() }
  }

  /// Records that a connection on a file was closed.
  func leave(_ file: FileIdentity) {
    uses.withLock { uses in
      guard let count = uses[file]?.count else { return }
      if count > 1 { uses[file]?.count = count - 1 } else { uses[file] = nil }
    }
  }
}
