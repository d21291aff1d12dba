/// What observers are entered into. Only the library's own modules see into it.
public struct ObservationAccess: Sendable {
  package let store: ObjectStore

  package init(_ store: ObjectStore) { self.store = store }
}

/// An open database as a whole, which is observed and maintained: a `MagicData`, a store.
public protocol ObservableDatabase: Sendable {
  /// What observers are entered into. The change feed and live results are built on it, and the
  /// asynchronous work on the whole database.
  var _observation: ObservationAccess { get }
}

extension ObjectStore: ObservableDatabase {
  /// What observers are entered into.
  public var _observation: ObservationAccess { ObservationAccess(self) }
}
