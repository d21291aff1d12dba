/// The access to an open database. Its contents are internal to the library.
public struct _MagicStoreAccess: Sendable {
  package let store: MagicObjectStore

  package init(_ store: MagicObjectStore) { self.store = store }
}

/// A database with an asynchronous API: a `MagicData`. In addition to reads, writes and
/// observation, it supports maintenance, migration and suspension.
///
/// A ``MagicObjectStore`` has blocking forms of the same methods for maintenance, migration and
/// suspension.
public protocol AsyncMagicDatabase: AsyncMagicDatabaseWriter, ObservableMagicDatabase {
  /// The open database. Maintenance, migration, suspension and streamed assets are built on it.
  var _store: _MagicStoreAccess { get }
}
