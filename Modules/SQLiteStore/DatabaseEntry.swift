import MagicEngine
import MagicRuntime
import MagicSchema
import SQLiteChanges
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// A database file that is open in this process: its store that writes and its store that only reads,
/// and what the two share. They keep it.
final class DatabaseEntry: Sendable {
  let identity: FileIdentity
  /// Publishes the commits of both stores.
  let feed = ChangeFeed()
  // Each lock is held while the file is opened, so that two tasks do not open it twice, and tasks that
  // open other files do not wait.
  private let writing = Mutex<SharedStore?>(nil)
  private let reading = Mutex<SharedStore?>(nil)
  private let use = Mutex(Use())

  private struct Use: Sendable {
    /// The stores that are open or being opened.
    var count = 0
    /// Nil while the file was not suspended since it was opened.
    var suspension: FileSuspension?

    mutating func leave() {
      count -= 1
      // A file that is opened again is not suspended.
      if count == 0 { suspension = nil }
    }
  }

  init(_ identity: FileIdentity) { self.identity = identity }

  private func slot(readOnly: Bool) -> Mutex<SharedStore?> { readOnly ? reading : writing }

  /// The store of the file, opened where it is not, with one more handle.
  ///
  /// - Throws: `MagicError`: what opening throws, or `.suspended`.
  func store(readOnly: Bool, open: () throws -> SharedStore) throws -> SharedStore {
    try slot(readOnly: readOnly).withLock { known in
      let isSuspended = use.withLock { use in
        if use.suspension?.isActive ?? false { return true }
        if known == nil { use.count += 1 }
        return false
      }
      guard !isSuspended else { throw MagicError.suspended() }
      if let known {
        known.leases.addHandle()
        return known
      }
      do {
        let store = try open()
        store.leases.addHandle()
        known = store
        return store
      } catch {
        use.withLock { $0.leave() }
        throw error
      }
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
      use.withLock { $0.leave() }
      return isUnused
    }
  }

  /// Nil where no store is open, nor being opened.
  var suspension: FileSuspension? {
    use.withLock { use in
      guard use.count > 0 else { return nil }
      let suspension = use.suspension ?? FileSuspension()
      use.suspension = suspension
      return suspension
    }
  }

  /// The open stores; none where the file was closed since the suspension was asked for. Waits for those
  /// that are being opened.
  func stores(under suspension: FileSuspension) -> [SharedStore] {
    guard use.withLock({ $0.suspension === suspension }) else { return [] }
    return [writing, reading].compactMap { slot in slot.withLock { $0 } }
  }
}
