package import MagicEngine
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
/// Its writes run one after the other, each all or nothing, and durable when the call returns; those
/// that arrive together share a commit. Reads do not wait for them; they run beside each other and
/// beside a write, each on one consistent snapshot, and see everything that was written before they
/// were called.
///
/// Two of them on one file in one process share one store; another process on the same file waits
/// for the lock, at most ``MagicOptions/busyTimeout`` seconds. When the last one is closed or let
/// go, the file is closed.
///
/// Errors are `MagicError`s. A call on a cancelled task throws `CancellationError` and stores
/// nothing.
public actor MagicData {
  package nonisolated let store: MagicObjectStore

  package init(store: MagicObjectStore) {
    self.store = store
  }

  /// - Parameter database: counts this handle.
  package init(_ database: any EngineDatabase) {
    self.init(store: MagicObjectStore(database))
  }

  /// Closes the database when the work under way has ended. Later calls throw `.closed`; closing
  /// again does nothing.
  ///
  /// Another `MagicData` on the same file stays open; then reads under way are not waited for, and
  /// end as they would have.
  public func close() async {
    await store.closeWhenIdle()
  }
}
