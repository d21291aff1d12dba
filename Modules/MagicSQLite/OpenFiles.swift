import CMagicRuntime
import MagicRuntime

/// The database files that connections of this process are open on.
///
/// SQLite keeps in memory which locks of a file its process has. The child of a fork has a copy of that
/// and none of the locks: a connection that it opened on such a file would take its parent's locks for
/// its own, and others would write where it reads.
final class OpenFiles: @unchecked Sendable {
  static let shared = OpenFiles()

  private let lock = Lock().heldAcrossForks()
  private var uses: [FileIdentity: Use] = [:]

  private struct Use {
    let origin = ProcessOrigin()
    var count = 0
  }

  /// A connection is about to be opened on a file.
  ///
  /// - Throws: ``SQLiteError`` where it was open when this process was forked.
  func enter(_ file: FileIdentity) throws(SQLiteError) {
    let isInherited = lock.withLock {
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
    lock.withLock {
      guard let count = uses[file]?.count else { return }
      if count > 1 { uses[file]?.count = count - 1 } else { uses[file] = nil }
    }
  }
}
