/// What observers are registered with. Only the library's own modules see into it.
public struct ObservationAccess: Sendable {
  package let store: ObjectStore

  package init(_ store: ObjectStore) { self.store = store }
}

/// A database whose changes are observed: a `MagicData`, a store.
public protocol ObservableDatabase: Sendable {
  /// What observers are registered with. The change feed and live results are built on it.
  var _observation: ObservationAccess { get }
}

extension ObjectStore: ObservableDatabase {
  /// What observers are registered with.
  public var _observation: ObservationAccess { ObservationAccess(self) }
}
