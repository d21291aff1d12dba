import MagicRuntime
import MagicSchema
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// The open stores of this process by their files, so that one file has one store.
final class StoreRegistry: @unchecked Sendable {
  static let shared = StoreRegistry()

  private let lock = Lock.heldAcrossForks()
  private var slots: [Key: Slot] = [:]
  private var suspensions: [Suspended: FileSuspension] = [:]

  struct Key: Hashable {
    let file: DatabaseFile.Identity
    let readOnly: Bool
    /// The child of a fork has its own.
    let process = ProcessOrigin()
  }

  /// A file that is suspended. The child of a fork has suspended nothing.
  private struct Suspended: Hashable {
    let file: DatabaseFile.Identity
    let process = ProcessOrigin()
  }

  /// The store of one file. Its lock is held while the file is opened, so that two tasks do not
  /// open it twice, and tasks that open other files do not wait.
  private final class Slot {
    let lock = Lock()
    var store: SharedStore?
    /// Set when the last user has gone: the slot is not the file's any more.
    var isRetired = false
  }

  /// The store of a file, opened where it is not, with one more handle.
  func store(
    _ key: Key, open: () throws -> SharedStore
  ) throws -> SharedStore {
    while true {
      let slot = lock.withLock {
        let slot = slots[key] ?? Slot()
        slots[key] = slot
        return slot
      }
      let store: SharedStore? = try slot.lock.withLock {
        guard !slot.isRetired else { return nil }
        do {
          if isSuspended(key.file) { throw MagicError.suspended() }
          let store = try slot.store ?? open()
          slot.store = store
          store.leases.addHandle()
          return store
        } catch {
          if slot.store == nil { retire(slot, key) }
          throw error
        }
      }
      if let store { return store }
    }
  }

  /// Takes leave of a store; nobody gets it any more where that was its last user.
  ///
  /// - Parameter leave: takes leave, and says whether nobody is left.
  func release(_ key: Key, _ store: SharedStore, _ leave: () -> Bool) -> Bool {
    guard let slot = lock.withLock({ slots[key] }) else { return leave() }
    return slot.lock.withLock {
      let isUnused = leave()
      if isUnused, slot.store === store { retire(slot, key) }
      return isUnused
    }
  }

  /// Called with the slot's lock held.
  private func retire(_ slot: Slot, _ key: Key) {
    slot.isRetired = true
    slot.store = nil
    lock.withLock {
      if slots[key] === slot { slots[key] = nil }
      guard !slots.contains(where: { $0.key.file == key.file }) else { return }
      suspensions[Suspended(file: key.file)] = nil
    }
  }

  private func isSuspended(_ file: DatabaseFile.Identity) -> Bool {
    lock.withLock { suspensions[Suspended(file: file)] }?.isUnderWay ?? false
  }

  /// The suspension of a file; nil where it is not open.
  func suspension(of file: DatabaseFile.Identity) -> FileSuspension? {
    lock.withLock {
      guard slots.contains(where: { $0.key.file == file }) else { return nil }
      let key = Suspended(file: file)
      let suspension = suspensions[key] ?? FileSuspension()
      suspensions[key] = suspension
      return suspension
    }
  }

  /// The open stores of a file; none where it was closed and opened since the suspension was asked for.
  /// Waits for those that are just being opened.
  func stores(of file: DatabaseFile.Identity, under suspension: FileSuspension) -> [SharedStore] {
    let open = lock.withLock { () -> [Slot] in
      guard suspensions[Suspended(file: file)] === suspension else { return [] }
      return slots.filter { $0.key.file == file && !$0.key.process.isForked }.map(\.value)
    }
    return open.compactMap { slot in slot.lock.withLock { slot.store } }
  }
}
