import MagicRuntime
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
  private let isClosed = Mutex(false)

  init(shared: SharedStore) {
    self.shared = shared
  }

  deinit {
    // Values that are fetched when they are asked for keep the store open, unless it is closed.
    guard end() else { return }
    endObservers()
    shared.releaseWithoutWaiting(isClosing: false)
  }

  /// Opens a database. What is open on the same file in this process shares its connections.
  ///
  /// Shared connections keep the options they were opened with, save that the stronger
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
    guard end() else { return }
    endObservers()
    shared.releaseWithoutWaiting(isClosing: true)
  }

  /// Marks the store as closed.
  ///
  /// - Returns: whether it was open: then its share is to be released.
  package func end() -> Bool {
    // Closing what is the parent's is left to the parent.
    guard !shared.lifecycle.isForked else { return false }
    return isClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
  }

  /// Asked once by each call, where it enters.
  ///
  /// - Throws: `MagicError` with `.forked`, `.closed` or `.suspended`.
  package func checkOpen() throws {
    try shared.lifecycle.checkAdmitsCalls()
    guard !isClosed.withLock({ $0 }) else { throw MagicError.closed() }
  }
}
