public import MagicEngine
import MagicSchema
package import MagicStore

/// A database of objects.
///
/// ```swift
/// let magic = try await MagicData(path: path)
/// let ada = Person(name: "Ada")
/// try await magic.update(ada)
/// let people = try await magic.object(of: Person.self)
/// ```
///
/// Writes run one after the other. Each write is atomic, and durable when the call returns. Writes
/// that arrive together share a commit. Reads do not wait for writes: they run concurrently with
/// each other and with a write. Each read uses one consistent snapshot, and sees everything that
/// was written before the call.
///
/// Several `MagicData` on one file in one process share one store. If another process holds the
/// lock of the file, a call waits at most ``MagicOptions/busyTimeout`` seconds. The file is closed
/// when the last `MagicData` is closed or deallocated.
///
/// Errors are `MagicError`s. A call on a cancelled task throws `CancellationError` and stores
/// nothing.
public actor MagicData {
  package nonisolated let store: MagicObjectStore

  package init(store: MagicObjectStore) {
    self.store = store
  }

  /// - Parameter database: the database. It has already counted this handle.
  package init(_ database: any EngineDatabase) {
    self.init(store: MagicObjectStore(database))
  }

  /// What the row cache of the database has done. Zeros on PostgreSQL, which has none.
  public nonisolated var cacheStatistics: MagicCacheStatistics { store.cacheStatistics }

  /// Closes the database after the running calls have ended. Later calls throw `.closed`. Closing
  /// again does nothing.
  ///
  /// Another `MagicData` on the same file stays open. In this case the call does not wait for
  /// running reads, which end normally.
  public func close() async {
    await store.closeWhenIdle()
  }
}
