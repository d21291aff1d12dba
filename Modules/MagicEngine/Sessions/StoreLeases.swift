import MagicRuntime
package import MagicSchema

/// Counts the users of a database: handles, which are closed or released, and leases, which are
/// released. Without any the database's life cycle begins to close it.
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

  /// Names the database itself; called once, when it is created.
  package func setDatabase(_ database: any EngineDatabase) {
    state.withLock { $0.database = database }
  }

  package func addHandle() { state.withLock { $0.handles += 1 } }

  /// - Parameter isClosing: whether the handle is closed: the last one closes the database then,
  ///   whatever leases there are.
  /// - Returns: whether the database has no users left. Only one call returns true.
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

  /// A lease, which keeps the database open as long as it lives; nil where the database is closed.
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

  /// Keeps the database open as long as it lives; lazy values hold it.
  package final class Lease: Sendable {
    package let database: any EngineDatabase

    fileprivate init(_ database: any EngineDatabase) { self.database = database }

    deinit { database.releaseLease() }
  }
}
