import MagicRuntime
package import MagicSchema

/// The registry of the databases of all engines that are open in this process, by token.
package final class OpenDatabases: Sendable {
  package static let shared = OpenDatabases()

  private let state = Mutex(State()).lockedDuringForks()

  private struct State: Sendable {
    /// A token has two entries if a database is open twice: once for writing and once read-only.
    var databases: [StoreToken: [WeakDatabase]] = [:]
    var lastToken: UInt64 = 0
  }

  // A class, because copying a structure would copy the weak reference, possibly while the database
  // is being deallocated.
  private final class WeakDatabase: Sendable {
    weak let database: (any EngineDatabase)?
    let identifier: ObjectIdentifier

    init(_ database: any EngineDatabase) {
      self.database = database
      identifier = ObjectIdentifier(database)
    }
  }

  /// Returns a token that no other database of this process has.
  package func newToken() -> StoreToken {
    state.withLock { state in
      state.lastToken += 1
      return StoreToken(rawValue: state.lastToken)
    }
  }

  /// Registers an open database.
  package func register(_ database: any EngineDatabase) {
    let entry = WeakDatabase(database)
    state.withLock { $0.databases[database.token, default: []].append(entry) }
  }

  /// Removes a database that is being deallocated.
  package func unregister(_ token: StoreToken, _ identifier: ObjectIdentifier) {
    state.withLock { state in
      state.databases[token]?.removeAll { $0.identifier == identifier }
      if state.databases[token]?.isEmpty == true { state.databases[token] = nil }
    }
  }

  /// Returns the open database with a token, or nil if it was closed.
  package func database(_ token: StoreToken) -> (any EngineDatabase)? {
    // The strong references are released outside the lock, because the last release deallocates a
    // database, which calls `unregister`.
    let (last, known) = state.withLock { state -> ((any EngineDatabase)?, [WeakDatabase]) in
      let known = state.databases[token] ?? []
      return (known.last?.database, known)
    }
    if let last, !last.lifecycle.isClosed { return last }
    return known.last { $0.database?.lifecycle.isClosed == false }?.database
  }

  /// Returns the open database that contains a row.
  ///
  /// - Parameter lease: the lease of the row's object, or nil if the object does not keep the
  ///   database open.
  /// - Throws: `MagicError` with `.closed`.
  package func database(
    of row: RowIdentity, _ lease: StoreLease? = nil
  ) throws -> any EngineDatabase {
    if let lease = lease as? StoreLeases.Lease, lease.database.token == row.store,
      !lease.database.lifecycle.isClosed
    {
      return lease.database
    }
    guard let database = database(row.store) else {
      throw MagicError(.closed, "The database of the object was closed.")
    }
    return database
  }

  /// All databases that exist.
  package var all: [any EngineDatabase] {
    // The strong references are released outside the lock, because the last release deallocates a
    // database, which calls `unregister`.
    state.withLock { state in state.databases.values.flatMap { $0.compactMap(\.database) } }
  }
}
