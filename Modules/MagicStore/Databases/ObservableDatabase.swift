/// The access to a database's observers. Its contents are internal to the library.
public struct ObservationAccess: Sendable {
  package let store: ObjectStore

  package init(_ store: ObjectStore) { self.store = store }
}

/// A database whose changes can be observed: a `MagicData` or a store.
public protocol ObservableDatabase: Sendable {
  /// The access to the observers. The change feed and live results are built on it.
  var _observation: ObservationAccess { get }
}

extension ObjectStore: ObservableDatabase {
  /// The access to the observers.
  public var _observation: ObservationAccess { ObservationAccess(self) }
}
