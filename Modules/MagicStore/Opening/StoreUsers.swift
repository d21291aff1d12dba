import MagicRuntime
import MagicSchema

/// Who uses a store: handles, which are closed or let go of, and lazy values, which are let go of.
final class StoreUsers: Locked, @unchecked Sendable {
  private var handles = 0
  private var keepers = 0
  private var isOver = false
  private weak var storedStore: SharedStore?
  private weak var keeper: Keeper?
  let origin = ProcessOrigin()

  override init() { super.init() }

  /// The store itself; set once, when it is made.
  var store: SharedStore? {
    get { withLock { storedStore } }
    set { withLock { storedStore = newValue } }
  }

  /// Whether the store has ended, or is about to. In the child of a fork it has not, and refuses calls
  /// for that reason.
  var isClosed: Bool { !origin.isForked && withLock { isOver } }

  func addHandle() { withLock { handles += 1 } }

  /// - Parameter isClosing: whether the handle is closed: the last one ends the store then,
  ///   whatever keeps it.
  /// - Returns: whether nobody is left. It is said once.
  func removeHandle(isClosing: Bool) -> Bool {
    withLock {
      handles -= 1
      return end(handles == 0 && (isClosing || keepers == 0))
    }
  }

  /// - Returns: as ``removeHandle(isClosing:)``.
  func removeKeeper() -> Bool {
    withLock {
      keepers -= 1
      return end(handles == 0 && keepers == 0)
    }
  }

  private func end(_ isUnused: Bool) -> Bool {
    guard isUnused, !isOver else { return false }
    isOver = true
    return true
  }

  /// Keeps the store open for as long as it lives; nil where it is closed.
  func makeKeeper() -> Keeper? {
    guard !origin.isForked else { return nil }
    let (kept, new) = withLock { () -> (Keeper?, Keeper?) in
      if let keeper { return (keeper, nil) }
      guard let storedStore, !isOver else { return (nil, nil) }
      keepers += 1
      let new = Keeper(storedStore)
      keeper = new
      return (nil, new)
    }
    return kept ?? new
  }

  /// What lazy values hold.
  final class Keeper: Sendable {
    let store: SharedStore

    fileprivate init(_ store: SharedStore) { self.store = store }

    deinit { store.releaseKeeper() }
  }
}

extension SharedStore {
  /// The open store that a row lies in.
  ///
  /// - Parameter keeper: what the row's object keeps the store with; nil where it keeps none.
  /// - Throws: `MagicError` with `.closed`.
  package static func of(
    _ row: RowIdentity, _ keeper: StoreKeeper? = nil
  ) throws -> SharedStore {
    if let keeper = keeper as? StoreUsers.Keeper, keeper.store.token == row.store,
      !keeper.store.isClosed
    {
      return keeper.store
    }
    guard let store = LiveStores.shared.store(row.store) else {
      throw MagicError(.closed, "The object's database was closed.")
    }
    return store
  }
}
