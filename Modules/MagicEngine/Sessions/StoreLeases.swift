import MagicRuntime
package import MagicSchema

/// Counts the users of a database: handles, which are closed or deallocated, and leases, which are
/// deallocated. When no users are left, the life cycle is set to closed, and the caller must close
/// the database.
package final class StoreLeases: Sendable {
  private struct State: Sendable {
    var handles = 0
    var leases = 0
    weak var database: (any EngineDatabase)?
    weak var lease: Lease?
  }

  private let state = Mutex(State())
  private let lifecycle: StoreLifecycle

  package init(_ lifecycle: StoreLifecycle) { self.lifecycle = lifecycle }

  /// Sets the database. Called once, when the database is created.
  package func setDatabase(_ database: any EngineDatabase) {
    state.withLock { $0.database = database }
  }

  package func addHandle() { state.withLock { $0.handles += 1 } }

  /// Removes a handle.
  ///
  /// - Parameter isClosing: whether the handle is closed explicitly. If so, the last handle closes
  ///   the database even if there are leases.
  /// - Returns: whether the caller must close the database. Only one call returns true.
  package func removeHandle(isClosing: Bool) -> Bool {
    state.withLock {
      $0.handles -= 1
      return $0.handles == 0 && (isClosing || $0.leases == 0) && lifecycle.close()
    }
  }

  /// - Returns: as ``removeHandle(isClosing:)``.
  package func removeLease() -> Bool {
    state.withLock {
      $0.leases -= 1
      return $0.handles == 0 && $0.leases == 0 && lifecycle.close()
    }
  }

  /// Returns a lease, which keeps the database open until it is deallocated, or nil if the database
  /// is closed.
  package func makeLease() -> StoreLease? {
    guard !lifecycle.isForked else { return nil }
    return state.withLock { state -> Lease? in
      if let lease = state.lease { return lease }
      guard let database = state.database, !lifecycle.isClosed else { return nil }
      state.leases += 1
      let lease = Lease(database)
      state.lease = lease
      return lease
    }
  }

  /// Keeps the database open until this object is deallocated. Lazy values retain it.
  package final class Lease: Sendable {
    package let database: any EngineDatabase

    fileprivate init(_ database: any EngineDatabase) { self.database = database }

    deinit { database.releaseLease() }
  }
}
