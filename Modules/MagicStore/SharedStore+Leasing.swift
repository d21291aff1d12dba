package import MagicSchema
import SQLiteEngine

extension SharedStore: LeasedStore {
  func releaseLease() {
    if isUnused({ leases.removeLease() }) { closeWithoutWaiting() }
  }

  /// The open store that a row lies in.
  ///
  /// - Parameter lease: what the row's object keeps the store open with; nil where it does not.
  /// - Throws: `MagicError` with `.closed`.
  package static func of(
    _ row: RowIdentity, _ lease: StoreKeeper? = nil
  ) throws -> SharedStore {
    if let lease = lease as? StoreLeases<SharedStore>.Lease, lease.store.token == row.store,
      !lease.store.lifecycle.isClosed
    {
      return lease.store
    }
    guard let store = DatabaseRegistry.shared.store(row.store) else {
      throw MagicError(.closed, "The object's database was closed.")
    }
    return store
  }
}
