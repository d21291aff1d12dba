import MagicRuntime
import MagicSchema
import SQLiteEngine

/// A store that leases keep open.
protocol LeasedStore: AnyObject, Sendable {
  /// A lease has ended.
  func releaseLease()
}

/// Counts the users of a store: handles, which are closed or released, and leases, which are
/// released. Without any the store's life cycle begins to close it.
final class StoreLeases<Store: LeasedStore>: LeaseIssuer, Sendable {
  private struct State: Sendable {
    var handles = 0
    var leases = 0
    weak var store: Store?
    weak var lease: Lease?
  }

  private let state = Mutex(State())
  private let lifecycle: StoreLifecycle

  init(_ lifecycle: StoreLifecycle) { self.lifecycle = lifecycle }

  /// Names the store itself; called once, when it is created.
  func setStore(_ store: Store) { state.withLock { $0.store = store } }

  func addHandle() { state.withLock { $0.handles += 1 } }

  /// - Parameter isClosing: whether the handle is closed: the last one closes the store then,
  ///   whatever leases there are.
  /// - Returns: whether the store has no users left. Only one call returns true.
  func removeHandle(isClosing: Bool) -> Bool {
    state.withLock {
      $0.handles -= 1
      return $0.handles == 0 && (isClosing || $0.leases == 0) && lifecycle.close()
    }
  }

  /// - Returns: as ``removeHandle(isClosing:)``.
  func removeLease() -> Bool {
    state.withLock {
      $0.leases -= 1
      return $0.handles == 0 && $0.leases == 0 && lifecycle.close()
    }
  }

  func makeLease() -> StoreKeeper? {
    guard !lifecycle.isForked else { return nil }
    return state.withLock { state -> Lease? in
      if let lease = state.lease { return lease }
      guard let store = state.store, !lifecycle.isClosed else { return nil }
      state.leases += 1
      let lease = Lease(store)
      state.lease = lease
      return lease
    }
  }

  /// Keeps the store open as long as it lives; lazy values hold it.
  final class Lease: Sendable {
    let store: Store

    fileprivate init(_ store: Store) { self.store = store }

    deinit { store.releaseLease() }
  }
}
