/// An open database as a whole. Only the library's own modules see into it.
public struct _MagicStoreAccess: Sendable {
  package let store: MagicObjectStore

  package init(_ store: MagicObjectStore) { self.store = store }
}

/// A database that tasks use: a `MagicData`. It is read, written and observed, and maintained, migrated
/// and suspended as a whole.
///
/// An ``MagicObjectStore`` has the same verbs of maintenance, migration and suspension in blocking forms.
public protocol AsyncMagicDatabase: AsyncMagicDatabaseWriter, ObservableMagicDatabase {
  /// The open database. Maintenance, migration, suspension and streamed assets are built on it.
  var _store: _MagicStoreAccess { get }
}
