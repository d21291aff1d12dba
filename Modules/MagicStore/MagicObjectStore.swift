public import MagicEngine
import MagicSchema

/// A database of objects with a synchronous API.
///
/// `MagicData` is built on this class. Programs without tasks use it directly. Every method can be
/// called from any thread. Writes run one after the other. Code that runs inside a call, for
/// example a closure or the conversion of a value, must not call the store, neither to read nor to
/// write: such a call throws `.nestedCall`.
///
/// ```swift
/// let store = try MagicObjectStore.open(.file(path))
/// try store.update(Person(name: "Ada"))
/// let people = try store.object(of: Person.self)
/// store.close()
/// ```
///
/// The module of each database engine declares the functions that open a store.
public final class MagicObjectStore: Sendable {
  /// The open database, which other stores may share.
  package let database: any EngineDatabase
  /// The state of the database. Stored here too, because each call checks it.
  private let lifecycle: StoreLifecycle
  private let handle = StoreHandle()

  /// - Parameter database: the database. It has already counted this handle.
  package init(_ database: any EngineDatabase) {
    self.database = database
    lifecycle = database.lifecycle
  }

  deinit {
    // Deallocation does not close the database while lazy values use it. `close()` does.
    guard closeHandle() else { return }
    endObservers()
    database.releaseWithoutWaiting(isClosing: false)
  }

  /// What the row cache of the database has done. Zeros on PostgreSQL, which has none.
  public var cacheStatistics: MagicCacheStatistics { database.cacheStatistics }

  /// Closes the database for this store. Later calls throw `.closed`. Closing again does nothing.
  /// Other stores on the file stay open.
  public func close() {
    guard closeHandle() else { return }
    endObservers()
    database.releaseWithoutWaiting(isClosing: true)
  }

  /// Closes the database for this store after the writes of tasks have ended. The last store on the
  /// file also waits for the reads. Closing again does nothing.
  package func closeWhenIdle() async {
    guard closeHandle() else { return }
    await handle.writesEnded()
    endObservers()
    await database.release()
  }

  /// - Returns: whether the handle was open. If so, the caller must release the handle's use of the
  ///   database.
  private func closeHandle() -> Bool {
    // After a fork, only the parent process may close its database.
    !lifecycle.isForked && handle.close()
  }

  /// Whether this store was closed. Other stores on the file may still be open.
  var isClosed: Bool { handle.isClosed }

  /// Checks that the store accepts calls. Each call makes this check once, when it starts.
  ///
  /// - Throws: `MagicError` with `.forked`, `.closed` or `.suspended`.
  package func checkOpen() throws {
    // Checked before any lock is acquired: in a forked process, a thread of the parent may hold the
    // lock forever.
    try lifecycle.checkNotForked()
    try handle.checkOpen()
    try lifecycle.checkAdmitsCalls()
  }

  /// Registers the start of a write of a task. Each write of a task calls this once, instead of
  /// ``checkOpen()``. Closing the store waits for the matching ``didWrite()``.
  ///
  /// - Throws: the errors of ``checkOpen()``. The write must not run then.
  package func willWrite() throws {
    try lifecycle.checkNotForked()
    try handle.beginWrite()
    do {
      try lifecycle.checkAdmitsCalls()
    } catch {
      handle.endWrite()
      throw error
    }
  }

  package func didWrite() { handle.endWrite() }
}
