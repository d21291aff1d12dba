/// The access to an open database. Its contents are internal to the library.
public struct StoreAccess: Sendable {
  package let store: ObjectStore

  package init(_ store: ObjectStore) { self.store = store }
}

/// A database that tasks use: a `MagicData`. In addition to reads, writes and observation, it
/// supports maintenance, migration and suspension.
///
/// An ``ObjectStore`` has the same maintenance, migration and suspension methods in blocking forms.
public protocol AsyncDatabase: AsyncDatabaseWriter, ObservableDatabase {
  /// The open database. Maintenance, migration, suspension and streamed assets are built on it.
  var _store: StoreAccess { get }
}
