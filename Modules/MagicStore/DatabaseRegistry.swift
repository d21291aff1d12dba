import MagicRuntime
package import MagicSchema
import SQLiteChanges
import SQLiteEngine
import SQLiteTables

/// The databases of this process: the open ones by their files and by their tokens, and the tokens of
/// all that were opened.
package final class DatabaseRegistry: Sendable {
  package static let shared = DatabaseRegistry()

  private let state = Mutex(State()).heldAcrossForks()

  private struct State: Sendable {
    /// Kept by their stores.
    var entries: [FileIdentity: WeakEntry] = [:]
    /// Of one token there are two where a database is open for reading alone as well.
    var stores: [StoreToken: [WeakStore]] = [:]
    var tokens: [DatabaseName: StoreToken] = [:]
    var lastToken: UInt64 = 0

    mutating func newToken() -> StoreToken {
      lastToken += 1
      return StoreToken(rawValue: lastToken)
    }
  }

  // Classes: a weak reference in a structure would be copied with it, also while its object ends.

  private final class WeakEntry: Sendable {
    weak let entry: DatabaseEntry?

    init(_ entry: DatabaseEntry) { self.entry = entry }
  }

  private final class WeakStore: Sendable {
    weak let store: SharedStore?
    let identifier: ObjectIdentifier

    init(_ store: SharedStore) {
      self.store = store
      identifier = ObjectIdentifier(store)
    }
  }

  // MARK: Entries

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

  // MARK: Stores

  /// The open store with a token; nil where it was closed.
  package func store(_ token: StoreToken) -> SharedStore? {
    // They are released outside of the lock: one of them may end with that, and leaves then.
    let (last, known) = state.withLock { state -> (SharedStore?, [WeakStore]) in
      let known = state.stores[token] ?? []
      return (known.last?.store, known)
    }
    if let last, !last.lifecycle.isClosed { return last }
    return known.last { $0.store?.lifecycle.isClosed == false }?.store
  }

  /// All stores that exist.
  var stores: [SharedStore] {
    // They are released outside of the lock: one of them may end with that, and leaves then.
    state.withLock { state in state.stores.values.flatMap { $0.compactMap(\.store) } }
  }

  /// The token of the store with an address.
  func token(at address: UnsafeRawPointer) -> StoreToken? {
    state.withLock { state in
      state.stores.first { _, known in
        known.contains { UInt(bitPattern: $0.identifier) == UInt(bitPattern: address) }
      }?.key
    }
  }

  func enter(_ store: SharedStore) {
    state.withLock { $0.stores[store.token, default: []].append(WeakStore(store)) }
  }

  /// A store is being deallocated.
  func leave(_ token: StoreToken, _ identifier: ObjectIdentifier) {
    state.withLock { state in
      state.stores[token]?.removeAll { $0.identifier == identifier }
      if state.stores[token]?.isEmpty == true { state.stores[token] = nil }
    }
  }

  // MARK: Tokens

  /// Names a database across closing and opening, so that objects know their rows afterwards.
  ///
  /// A file's number alone does not name a database: the system gives the numbers of deleted files
  /// out again. The random identifier in the file alone does not either: a copy has the same.
  private struct DatabaseName: Hashable, Sendable {
    let file: FileIdentity
    let database: String
  }

  /// A token that no database has had.
  func newToken() -> StoreToken { state.withLock { $0.newToken() } }

  /// The token of a database that has its identifier: the one that it had when it was open before.
  func token(of file: FileIdentity, database: String) -> StoreToken {
    state.withLock { state in
      let name = DatabaseName(file: file, database: database)
      let token = state.tokens[name] ?? state.newToken()
      state.tokens[name] = token
      return token
    }
  }

  /// The database with this token has got its identifier.
  func setToken(_ token: StoreToken, of file: FileIdentity, database: String) {
    state.withLock { $0.tokens[DatabaseName(file: file, database: database)] = token }
  }
}
