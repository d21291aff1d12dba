import MagicRuntime
import MagicSchema

/// The open stores of this process by their files, so that one file has one store.
final class StoreRegistry: @unchecked Sendable {
  static let shared = StoreRegistry()

  private let lock = Lock()
  private var slots: [Key: Slot] = [:]

  struct Key: Hashable {
    let file: DatabaseFile.Identity
    let readOnly: Bool
  }

  /// The store of one file. Its lock is held while the file is opened, so that two tasks do not
  /// open it twice, and tasks that open other files do not wait.
  private final class Slot {
    let lock = Lock()
    var store: SharedStore?
    var handles = 0
    /// Set when the last handle was given back: the slot is not the file's any more.
    var isRetired = false
  }

  /// The store of a file, opened where it is not.
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
          let store = try slot.store ?? open()
          slot.store = store
          slot.handles += 1
          return store
        } catch {
          if slot.handles == 0 { retire(slot, key) }
          throw error
        }
      }
      if let store { return store }
    }
  }

  /// Gives a handle back.
  ///
  /// - Returns: whether it was the last.
  func release(_ key: Key) -> Bool {
    guard let slot = lock.withLock({ slots[key] }) else { return true }
    return slot.lock.withLock {
      slot.handles -= 1
      guard slot.handles == 0 else { return false }
      retire(slot, key)
      return true
    }
  }

  /// Called with the slot's lock held.
  private func retire(_ slot: Slot, _ key: Key) {
    slot.isRetired = true
    slot.store = nil
    lock.withLock { if slots[key] === slot { slots[key] = nil } }
  }
}
