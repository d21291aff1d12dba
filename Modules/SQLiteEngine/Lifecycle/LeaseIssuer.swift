package import MagicSchema

/// Issues the leases that keep a store open.
package protocol LeaseIssuer: AnyObject, Sendable {
  /// A lease, which keeps the store open as long as it lives; nil where the store is closed.
  func makeLease() -> StoreKeeper?
}
