import MagicEngine
import MagicRuntime
import MagicSchema

/// The files of this process's databases: what it has of the open ones, and the tokens of all that were
/// opened.
final class DatabaseRegistry: Sendable {
  static let shared = DatabaseRegistry()

  private let state = Mutex(State()).lockedDuringForks()

  private struct State: Sendable {
    /// Kept by their stores.
    var entries: [FileIdentity: WeakEntry] = [:]
    var tokens: [DatabaseName: StoreToken] = [:]
  }

  // A class: a weak reference in a structure would be copied with it, also while its object ends.
  private final class WeakEntry: Sendable {
    weak let entry: DatabaseEntry?

    init(_ entry: DatabaseEntry) { self.entry = entry }
  }

  /// What this process has of a file. The child of a fork has its own.
  func entry(for identity: FileIdentity) -> DatabaseEntry {
    state.withLock { state in
      if let known = state.entries[identity]?.entry, !known.feed.origin.isForked { return known }
      state.entries = state.entries.filter { $0.value.entry != nil }
      let entry = DatabaseEntry(identity)
      state.entries[identity] = WeakEntry(entry)
      return entry
    }
  }

  /// All stores that exist.
  var stores: [SharedStore] { OpenDatabases.shared.all.compactMap { $0 as? SharedStore } }

  /// Names a database across closing and opening, so that objects know their rows afterwards.
  ///
  /// A file's number alone does not name a database: the system gives the numbers of deleted files
  /// out again. The random identifier in the file alone does not either: a copy has the same.
  private struct DatabaseName: Hashable, Sendable {
    let file: FileIdentity
    let database: String
  }

  /// The token of a database that has its identifier: the one that it had when it was open before.
  func token(of file: FileIdentity, database: String) -> StoreToken {
    let name = DatabaseName(file: file, database: database)
    if let known = state.withLock({ $0.tokens[name] }) { return known }
    // Outside of the lock: while it is held, no other lock is waited for that is held across forks.
    let new = OpenDatabases.shared.newToken()
    return state.withLock { state in
      let token = state.tokens[name] ?? new
      state.tokens[name] = token
      return token
    }
  }

  /// The database with this token has got its identifier.
  func setToken(_ token: StoreToken, of file: FileIdentity, database: String) {
    state.withLock { $0.tokens[DatabaseName(file: file, database: database)] = token }
  }
}
