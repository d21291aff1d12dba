import MagicRuntime
package import MagicSchema

/// The databases that are open in this process, of all engines, by their tokens.
package final class OpenDatabases: Sendable {
  package static let shared = OpenDatabases()

  private let state = Mutex(State()).lockedDuringForks()

  private struct State: Sendable {
    /// Of one token there are two where a database is open for reading alone as well.
    var databases: [StoreToken: [WeakDatabase]] = [:]
    var lastToken: UInt64 = 0
  }

  // A class: a weak reference in a structure would be copied with it, also while its object ends.
  private final class WeakDatabase: Sendable {
    weak let database: (any EngineDatabase)?
    let identifier: ObjectIdentifier

    init(_ database: any EngineDatabase) {
      self.database = database
      identifier = ObjectIdentifier(database)
    }
  }

  /// A token that no database has had.
  package func newToken() -> StoreToken {
    state.withLock { state in
      state.lastToken += 1
      return StoreToken(rawValue: state.lastToken)
    }
  }

  /// A database is open now.
  package func enter(_ database: any EngineDatabase) {
    let entry = WeakDatabase(database)
    state.withLock { $0.databases[database.token, default: []].append(entry) }
  }

  /// A database is being deallocated.
  package func leave(_ token: StoreToken, _ identifier: ObjectIdentifier) {
    state.withLock { state in
      state.databases[token]?.removeAll { $0.identifier == identifier }
      if state.databases[token]?.isEmpty == true { state.databases[token] = nil }
    }
  }

  /// The open database with a token; nil where it was closed.
  package func database(_ token: StoreToken) -> (any EngineDatabase)? {
    // They are released outside of the lock: one of them may end with that, and leaves then.
    let (last, known) = state.withLock { state -> ((any EngineDatabase)?, [WeakDatabase]) in
      let known = state.databases[token] ?? []
      return (known.last?.database, known)
    }
    if let last, !last.lifecycle.isClosed { return last }
    return known.last { $0.database?.lifecycle.isClosed == false }?.database
  }

  /// The open database that a row lies in.
  ///
  /// - Parameter lease: what the row's object keeps the database open with; nil where it does not.
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
      throw MagicError(.closed, "The object's database was closed.")
    }
    return database
  }

  /// All databases that exist.
  package var all: [any EngineDatabase] {
    // They are released outside of the lock: one of them may end with that, and leaves then.
    state.withLock { state in state.databases.values.flatMap { $0.compactMap(\.database) } }
  }
}
