/// What observers are registered with. Only the library's own modules see into it.
public struct _MagicObservationAccess: Sendable {
  package let store: MagicObjectStore

  package init(_ store: MagicObjectStore) { self.store = store }
}

/// A database whose changes are observed: a `MagicData`, a store.
public protocol ObservableMagicDatabase: Sendable {
  /// What observers are registered with. The change feed and live results are built on it.
  var _observation: _MagicObservationAccess { get }
}

extension MagicObjectStore: ObservableMagicDatabase {
  /// What observers are registered with.
  public var _observation: _MagicObservationAccess { _MagicObservationAccess(self) }
}
