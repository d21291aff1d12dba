import CMagicRuntime
import MagicRuntime

/// The database files that connections of this process are open on.
///
/// SQLite keeps in memory which locks of a file its process has. The child of a fork has a copy of that
/// and none of the locks: a connection that it opened on such a file would take its parent's locks for
/// its own, and others would write where it reads.
final class ConnectionCounts: Sendable {
  static let shared = ConnectionCounts()

  private let uses = Mutex<[FileIdentity: Use]>([:]).lockedDuringForks()

  private struct Use: Sendable {
    let origin = ProcessOrigin()
    var count = 0
  }

  /// A connection is about to be opened on a file.
  ///
  /// - Throws: ``SQLiteError`` where it was open when this process was forked.
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

  /// It was closed.
  func leave(_ file: FileIdentity) {
    uses.withLock { uses in
      guard let count = uses[file]?.count else { return }
      if count > 1 { uses[file]?.count = count - 1 } else { uses[file] = nil }
    }
  }
}
