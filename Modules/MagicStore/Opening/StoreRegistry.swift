import MagicRuntime
import MagicSchema

/// The open stores of this process by their files, so that one file has one store.
final class StoreRegistry: @unchecked Sendable {
  static let shared = StoreRegistry()

  private let lock = Lock()
  private var stores: [Key: Entry] = [:]
  private var tokens: [DatabaseFile.Identity: StoreToken] = [:]
  private var lastToken: UInt64 = 0

  struct Key: Hashable {
    let file: DatabaseFile.Identity
    let readOnly: Bool
  }

  private struct Entry {
    let store: ObjectStore
    var handles: Int
  }

  /// The store of a file, opened where it is not.
  func store(
    _ key: Key, open: (StoreToken) throws -> ObjectStore
  ) throws -> (store: ObjectStore, wasOpen: Bool) {
    // Held while a file is opened, so that two tasks do not open it twice.
    try lock.withLock {
      if var entry = stores[key] {
        entry.handles += 1
        stores[key] = entry
        return (entry.store, true)
      }
      let token = tokens[key.file] ?? nextToken()
      tokens[key.file] = token
      let store = try open(token)
      stores[key] = Entry(store: store, handles: 1)
      return (store, false)
    }
  }

  /// A token for a store that no file names.
  func privateToken() -> StoreToken { lock.withLock { nextToken() } }

  /// Gives a handle back.
  ///
  /// - Returns: whether it was the last.
  func release(_ key: Key, _ store: ObjectStore) -> Bool {
    lock.withLock {
      guard var entry = stores[key], entry.store === store else { return true }
      entry.handles -= 1
      stores[key] = entry.handles > 0 ? entry : nil
      return entry.handles == 0
    }
  }

  private func nextToken() -> StoreToken {
    lastToken += 1
    return StoreToken(rawValue: lastToken)
  }
}
