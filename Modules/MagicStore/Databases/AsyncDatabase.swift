/// An open database as a whole. Only the library's own modules see into it.
public struct StoreAccess: Sendable {
  package let store: ObjectStore

  package init(_ store: ObjectStore) { self.store = store }
}

/// A database that tasks use: a `MagicData`. It is read, written and observed, and maintained, migrated
/// and suspended as a whole.
///
/// An ``ObjectStore`` has the same verbs of maintenance, migration and suspension in blocking forms.
public protocol AsyncDatabase: AsyncDatabaseWriter, ObservableDatabase {
  /// The open database. Maintenance, migration, suspension and streamed assets are built on it.
  var _store: StoreAccess { get }
}
