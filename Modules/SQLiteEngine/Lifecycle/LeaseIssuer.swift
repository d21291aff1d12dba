package import MagicSchema

/// Issues the leases that keep a store open.
package protocol LeaseIssuer: AnyObject, Sendable {
  /// Whether the store has ended, or is about to.
  var isClosed: Bool { get }

  /// A lease, which keeps the store open as long as it lives; nil where the store is closed.
  func makeLease() -> StoreKeeper?
}

/// A store that leases keep open.
package protocol LeasedStore: AnyObject, Sendable {
  /// A lease has ended.
  func releaseLease()
}
