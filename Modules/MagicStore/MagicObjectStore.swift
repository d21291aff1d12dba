package import MagicEngine
import MagicSchema

/// Objects in and out of one database, synchronously.
///
/// The store is what `MagicData` is built on, for programs that want no tasks. Every call may be
/// made from any thread; writes wait for each other. A closure or conversion that a call runs does
/// not call the store itself, neither to read nor to write: that throws `.nestedCall`.
///
/// ```swift
/// let store = try MagicObjectStore.open(.file(path))
/// try store.update(Person(name: "Ada"))
/// let people = try store.object(of: Person.self)
/// store.close()
/// ```
///
/// Stores are opened by the module of a database engine.
public final class MagicObjectStore: Sendable {
  /// The open database, which other stores may share.
  package let database: any EngineDatabase
  /// The database's own, which each call asks.
  private let lifecycle: StoreLifecycle
  private let handle = StoreHandle()

  /// - Parameter database: counts this store as one more of its handles.
  package init(_ database: any EngineDatabase) {
    self.database = database
    lifecycle = database.lifecycle
  }

  deinit {
    // Values that are fetched when they are asked for keep the store open, unless it is closed.
    guard closeHandle() else { return }
    endObservers()
    database.releaseWithoutWaiting(isClosing: false)
  }

  /// Closes the database for this store. Later calls throw `.closed`, closing again does nothing;
  /// other stores on the file stay open.
  public func close() {
    guard closeHandle() else { return }
    endObservers()
    database.releaseWithoutWaiting(isClosing: true)
  }

  /// Closes the database for this store when the writes of tasks have ended; with the last store on the
  /// file, when reads have ended too. Closing again does nothing.
  package func closeWhenIdle() async {
    guard closeHandle() else { return }
    await handle.writesEnded()
    endObservers()
    await database.release()
  }

  /// - Returns: whether it was open: then its share is to be released.
  private func closeHandle() -> Bool {
    // Closing what is the parent's is left to the parent.
    !lifecycle.isForked && handle.close()
  }

  /// Whether this store was closed, whatever others on the file are.
  var isClosed: Bool { handle.isClosed }

  /// Asked once by each call, where it enters.
  ///
  /// - Throws: `MagicError` with `.forked`, `.closed` or `.suspended`.
  package func checkOpen() throws {
    // Before a lock is taken, which a thread of the parent may have held.
    try lifecycle.checkNotForked()
    try handle.checkOpen()
    try lifecycle.checkAdmitsCalls()
  }

  /// Asked once by each write of a task, where it enters, in the place of ``checkOpen()``. What closes
  /// the store waits for ``didWrite()``.
  ///
  /// - Throws: as ``checkOpen()`` does; the write does not run then.
  package func willWrite() throws {
    try lifecycle.checkNotForked()
    try handle.enterWrite()
    do {
      try lifecycle.checkAdmitsCalls()
    } catch {
      handle.leaveWrite()
      throw error
    }
  }

  package func didWrite() { handle.leaveWrite() }
}
