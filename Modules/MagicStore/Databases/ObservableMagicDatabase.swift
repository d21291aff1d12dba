/// The access to a database's observers. Its contents are internal to the library.
public struct _MagicObservationAccess: Sendable {
  package let store: MagicObjectStore

  package init(_ store: MagicObjectStore) { self.store = store }
}

/// A database whose changes can be observed: a `MagicData` or a store.
public protocol ObservableMagicDatabase: Sendable {
  /// The access to the observers. The change feed and live results are built on it.
  var _observation: _MagicObservationAccess { get }
}

extension MagicObjectStore: ObservableMagicDatabase {
  /// The access to the observers.
  public var _observation: _MagicObservationAccess { _MagicObservationAccess(self) }
}
