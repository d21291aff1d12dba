import MagicRuntime
import MagicSchema
import MagicStore

/// One `MagicData`'s share of a store. It is given back once: by `close()`, or when it ends.
final class StoreHandle: Sendable {
  let store: ObjectStore
  private let state = Lock()
  private nonisolated(unsafe) var isClosed = false

  init(store: ObjectStore) {
    self.store = store
  }

  deinit {
    if close() { store.close() }
  }

  /// Marks the handle as closed.
  ///
  /// - Returns: whether it was open.
  func close() -> Bool {
    state.withLock {
      defer { isClosed = true }
      return !isClosed
    }
  }

  func checkOpen() throws {
    guard !state.withLock({ isClosed }) else {
      throw MagicError(.closed, "The database was closed.")
    }
  }
}
