import MagicRuntime
import MagicSchema
import SQLiteChanges
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// A database file that is open in this process: its store that writes and its store that only reads,
/// and what the two share. They keep it.
final class OpenFile: Sendable {
  let identity: FileIdentity
  /// Publishes the commits of both stores.
  let feed = ChangeFeed()
  // Each lock is held while the file is opened, so that two tasks do not open it twice, and tasks that
  // open other files do not wait.
  private let writing = Mutex<SharedStore?>(nil)
  private let reading = Mutex<SharedStore?>(nil)
  private let use = Mutex(Use())

  private struct Use: Sendable {
    /// The stores that are open.
    var count = 0
    var suspension = FileSuspension()
  }

  init(_ identity: FileIdentity) { self.identity = identity }

  private func slot(readOnly: Bool) -> Mutex<SharedStore?> { readOnly ? reading : writing }

  /// The store of the file, opened where it is not, with one more handle.
  ///
  /// - Throws: `MagicError`: what opening throws, or `.suspended`.
  func store(readOnly: Bool, open: () throws -> SharedStore) throws -> SharedStore {
    try slot(readOnly: readOnly).withLock { known in
      guard !suspension.isActive else { throw MagicError.suspended() }
      if let known {
        known.leases.addHandle()
        return known
      }
      let store = try open()
      use.withLock { $0.count += 1 }
      store.leases.addHandle()
      known = store
      return store
    }
  }

  /// A store may lose its last user. Then no caller gets it any more.
  ///
  /// - Parameter leave: removes a user, and says whether none is left.
  /// - Returns: what `leave` returns.
  func release(_ store: SharedStore, _ leave: () -> Bool) -> Bool {
    slot(readOnly: store.writer == nil).withLock { known in
      let isUnused = leave()
      guard isUnused, known === store else { return isUnused }
      known = nil
      use.withLock {
        $0.count -= 1
        // A file that is opened again is not suspended.
        if $0.count == 0 { $0.suspension = FileSuspension() }
      }
      return isUnused
    }
  }

  var suspension: FileSuspension { use.withLock { $0.suspension } }

  /// The open stores; none where the file was closed since the suspension was asked for. Waits for those
  /// that are being opened.
  func stores(under suspension: FileSuspension) -> [SharedStore] {
    guard self.suspension === suspension else { return [] }
    return [writing, reading].compactMap { slot in slot.withLock { $0 } }
  }
}
