import MagicEngine
import MagicRuntime
import MagicSchema

/// The database files of this process: an entry for each open file, and the tokens of all databases
/// that were opened.
final class DatabaseRegistry: Sendable {
  static let shared = DatabaseRegistry()

  private let state = Mutex(State()).lockedDuringForks()

  private struct State: Sendable {
    /// The `SharedStore` objects retain the entries.
    var entries: [FileIdentity: WeakEntry] = [:]
    var tokens: [DatabaseName: StoreToken] = [:]
  }

  // A class, because copying a structure copies its weak reference, even while the object is being
  // released.
  private final class WeakEntry: Sendable {
    weak let entry: DatabaseEntry?

    init(_ entry: DatabaseEntry) { self.entry = entry }
  }

  /// Returns the entry of a file. A forked child process gets a new one.
  func entry(for identity: FileIdentity) -> DatabaseEntry {
    state.withLock { state in
      if let cached = state.entries[identity]?.entry, !cached.feed.origin.isForked {
        return cached
      }
      state.entries = state.entries.filter { $0.value.entry != nil }
      let entry = DatabaseEntry(identity)
      state.entries[identity] = WeakEntry(entry)
      return entry
    }
  }

  /// All existing `SharedStore` objects.
  var stores: [SharedStore] { OpenDatabases.shared.all.compactMap { $0 as? SharedStore } }

  /// Identifies a database after it was closed and opened again, so that objects still refer to
  /// their rows.
  ///
  /// An inode number does not identify a database, because the system reuses the numbers of deleted
  /// files. The random identifier in the file does not either, because a copy of the file has the
  /// same one.
  private struct DatabaseName: Hashable, Sendable {
    let file: FileIdentity
    let database: String
  }

  /// Returns the token of a database that has an identifier. A database that was open before gets
  /// the same token.
  func token(of file: FileIdentity, database: String) -> StoreToken {
    let name = DatabaseName(file: file, database: database)
    if let cached = state.withLock({ $0.tokens[name] }) { return cached }
    // Outside the lock: while a lock that is held across forks is held, no other of these locks may
    // be waited for.
    let new = OpenDatabases.shared.newToken()
    return state.withLock { state in
      let token = state.tokens[name] ?? new
      state.tokens[name] = token
      return token
    }
  }

  /// Records the token of a database that has received its identifier.
  func setToken(_ token: StoreToken, of file: FileIdentity, database: String) {
    state.withLock { $0.tokens[DatabaseName(file: file, database: database)] = token }
  }
}
