import MagicEngine
import MagicRuntime
import MagicSchema
import SQLiteChanges
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// A database file that is open in this process: the `SharedStore` that writes it, the one that
/// only reads it, and the objects that the two share. Both retain the entry.
final class DatabaseEntry: Sendable {
  let identity: FileIdentity
  /// Publishes the commits of both `SharedStore` objects.
  let feed = ChangeFeed()
  // A lock is held while its `SharedStore` is opened, so that two tasks do not open a file twice.
  // Tasks that open other files do not wait.
  private let writing = Mutex<SharedStore?>(nil)
  private let reading = Mutex<SharedStore?>(nil)
  private let use = Mutex(Use())

  private struct Use: Sendable {
    /// The number of `SharedStore` objects that are open or being opened.
    var count = 0
    /// Nil if the file was not suspended since it was opened.
    var suspension: FileSuspension?

    mutating func leave() {
      count -= 1
      // A file that is closed and opened again is not suspended.
      if count == 0 { suspension = nil }
    }
  }

  init(_ identity: FileIdentity) { self.identity = identity }

  private func slot(readOnly: Bool) -> Mutex<SharedStore?> { readOnly ? reading : writing }

  /// Adds a handle to the `SharedStore` of the file and returns it. It is opened if necessary.
  ///
  /// - Throws: `MagicError`: the errors of opening, or `.suspended`.
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

  /// Removes a handle or lease of a `SharedStore`. After the last one, the entry no longer returns
  /// it.
  ///
  /// - Parameter leave: removes the handle or lease, and returns whether none is left.
  /// - Returns: the result of `leave`.
  func release(_ store: SharedStore, _ leave: () -> Bool) -> Bool {
    slot(readOnly: store.writer == nil).withLock { known in
      let isUnused = leave()
      guard isUnused, known === store else { return isUnused }
      known = nil
      use.withLock { $0.leave() }
      return isUnused
    }
  }

  /// The suspension of the file; nil if the file is neither open nor being opened.
  var suspension: FileSuspension? {
    use.withLock { use in
      guard use.count > 0 else { return nil }
      let suspension = use.suspension ?? FileSuspension()
      use.suspension = suspension
      return suspension
    }
  }

  /// Returns the open `SharedStore` objects; none if the file was closed after the suspension was
  /// requested. Waits for those that are being opened.
  func stores(under suspension: FileSuspension) -> [SharedStore] {
    guard use.withLock({ $0.suspension === suspension }) else { return [] }
    return [writing, reading].compactMap { slot in slot.withLock { $0 } }
  }
}
