import MagicSchema

/// Issues the leases that keep a store open.
protocol LeaseIssuer: AnyObject, Sendable {
  /// A lease, which keeps the store open as long as it lives; nil where the store is closed.
  func makeLease() -> StoreKeeper?
}

/// A store that leases keep open.
protocol LeasedStore: AnyObject, Sendable {
  /// A lease has ended.
  func releaseLease()
}
