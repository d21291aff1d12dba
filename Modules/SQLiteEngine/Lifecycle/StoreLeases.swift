package import MagicRuntime
package import MagicSchema

/// Counts the users of a store: handles, which are closed or released, and leases, which are
/// released.
package final class StoreLeases<Store: LeasedStore>: Locked, LeaseIssuer, @unchecked Sendable {
  private var handles = 0
  private var leases = 0
  private var isOver = false
  private weak var storedStore: Store?
  private weak var lease: Lease?
  let origin = ProcessOrigin()

  package override init() { super.init() }

  /// The store itself; set once, when it is created.
  package var store: Store? {
    get { withLock { storedStore } }
    set { withLock { storedStore = newValue } }
  }

  /// Whether the store has ended, or is about to. In the child of a fork it has not, and refuses calls
  /// for that reason.
  package var isClosed: Bool { !origin.isForked && withLock { isOver } }

  package func addHandle() { withLock { handles += 1 } }

  /// - Parameter isClosing: whether the handle is closed: the last one ends the store then,
  ///   whatever leases there are.
  /// - Returns: whether the store has no users left. Only one call returns true.
  package func removeHandle(isClosing: Bool) -> Bool {
    withLock {
      handles -= 1
      return end(handles == 0 && (isClosing || leases == 0))
    }
  }

  /// - Returns: as ``removeHandle(isClosing:)``.
  package func removeLease() -> Bool {
    withLock {
      leases -= 1
      return end(handles == 0 && leases == 0)
    }
  }

  private func end(_ isUnused: Bool) -> Bool {
    guard isUnused, !isOver else { return false }
    isOver = true
    return true
  }

  package func makeLease() -> StoreKeeper? {
    guard !origin.isForked else { return nil }
    let (kept, new) = withLock { () -> (Lease?, Lease?) in
      if let lease { return (lease, nil) }
      guard let storedStore, !isOver else { return (nil, nil) }
      leases += 1
      let new = Lease(storedStore)
      lease = new
      return (nil, new)
    }
    return kept ?? new
  }

  /// Keeps the store open as long as it lives; lazy values hold it.
  package final class Lease: Sendable {
    package let store: Store

    fileprivate init(_ store: Store) { self.store = store }

    deinit { store.releaseLease() }
  }
}
