import MagicSchema
import SQLiteEngine
import SQLiteTables

/// Objects in and out of one database, synchronously.
///
/// The store is what `MagicData` is built on, for programs that want no tasks. Every call may be
/// made from any thread; writes wait for each other. A closure or conversion that a call runs does
/// not call the store itself, neither to read nor to write: that throws `.nestedCall`.
///
/// ```swift
/// let store = try ObjectStore.open(.file(path))
/// try store.update(Person(name: "Ada"))
/// let people = try store.object(of: Person.self)
/// store.close()
/// ```
public final class ObjectStore: Sendable {
  package let shared: SharedStore
  private let handle = StoreHandle()

  init(shared: SharedStore) {
    self.shared = shared
  }

  deinit {
    // Values that are fetched when they are asked for keep the store open, unless it is closed.
    guard closeHandle() else { return }
    endObservers()
    shared.releaseWithoutWaiting(isClosing: false)
  }

  /// Opens a database. What is open on the same file in this process shares its connections.
  ///
  /// Shared connections keep the options they were opened with, but the stronger
  /// ``StoreOptions/Durability`` holds.
  ///
  /// - Throws: `MagicError`. A file that cannot be opened is left as it was.
  public static func open(
    _ location: StoreLocation, options: StoreOptions = .init()
  ) throws -> ObjectStore {
    let store = ObjectStore(shared: try SharedStore.open(location, options: options))
    store.shared.strengthen(options.durability)
    return store
  }

  /// Closes the database for this store. Later calls throw `.closed`, closing again does nothing;
  /// other stores on the file stay open.
  public func close() {
    guard closeHandle() else { return }
    endObservers()
    shared.releaseWithoutWaiting(isClosing: true)
  }

  /// Closes the database for this store when the writes of tasks have ended; with the last store on the
  /// file, when reads have ended too. Closing again does nothing.
  package func closeWhenIdle() async {
    guard closeHandle() else { return }
    await handle.writesEnded()
    endObservers()
    await shared.release()
  }

  /// - Returns: whether it was open: then its share is to be released.
  private func closeHandle() -> Bool {
    // Closing what is the parent's is left to the parent.
    !shared.lifecycle.isForked && handle.close()
  }

  /// Whether this store was closed, whatever others on the file are.
  var isClosed: Bool { handle.isClosed }

  /// Asked once by each call, where it enters.
  ///
  /// - Throws: `MagicError` with `.forked`, `.closed` or `.suspended`.
  package func checkOpen() throws {
    // Before a lock is taken, which a thread of the parent may have held.
    try shared.lifecycle.checkNotForked()
    try handle.checkOpen()
    try shared.lifecycle.checkAdmitsCalls()
  }

  /// Asked once by each write of a task, where it enters, in the place of ``checkOpen()``. What closes
  /// the store waits for ``didWrite()``.
  ///
  /// - Throws: as ``checkOpen()`` does; the write does not run then.
  package func willWrite() throws {
    try shared.lifecycle.checkNotForked()
    try handle.enterWrite()
    do {
      try shared.lifecycle.checkAdmitsCalls()
    } catch {
      handle.leaveWrite()
      throw error
    }
    shared.willWrite()
  }

  package func didWrite() {
    shared.didWrite()
    handle.leaveWrite()
  }
}
