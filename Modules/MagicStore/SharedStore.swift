import CMagicRuntime
import MagicRuntime
package import MagicSchema
import MagicSQLite

/// The connections of one database, shared by all handles on its file.
package final class SharedStore: @unchecked Sendable {
  private let writing = Lock()
  /// The thread that holds ``writing``; 0 for none.
  private let owner: UnsafeMutablePointer<UInt>
  private var writer: StoreConnection?
  private let readers: ReaderPool<StoreConnection>?
  private let isReadOnly: Bool
  /// How long a lock of another process is waited for, in seconds.
  package let busyTimeout: Double
  private var durability: StoreOptions.Durability
  private var directory: PrivateDirectory?
  private let key: StoreRegistry.Key?
  package let token: StoreToken
  private var isTokenRemembered = false
  /// What actors that write to this store run on, so that none of them blocks on another.
  package let gate = WriteGate()

  init(
    writer: SQLiteConnection?, readers makeReader: (@Sendable () throws -> SQLiteConnection)?,
    options: StoreOptions, directory: PrivateDirectory?, key: StoreRegistry.Key?, token: StoreToken
  ) {
    owner = .allocate(capacity: 1)
    owner.initialize(to: 0)
    let claims = TableClaims(isReadOnly: options.readOnly)
    let diagnostics = options.diagnostics.map { Diagnostics($0) }
    self.writer = writer.map {
      StoreConnection(connection: $0, token: token, claims: claims, diagnostics: diagnostics)
    }
    readers = makeReader.map { make in
      ReaderPool(limit: options.readers) {
        StoreConnection(
          connection: try make(), token: token, claims: claims, diagnostics: diagnostics)
      }
    }
    isReadOnly = options.readOnly
    busyTimeout = options.busyTimeout
    durability = options.durability
    self.directory = directory
    self.key = key
    self.token = token
    LiveStores.shared.enter(self)
  }

  deinit {
    owner.deallocate()
    LiveStores.shared.leave(token, ObjectIdentifier(self))
  }

  /// Whether reads use the connection that writes, because there is no other.
  package var readsOnWriter: Bool { readers == nil }

  /// Runs the body with a reader. Suspends where all are in use.
  package func read<Result>(_ body: (StoreConnection) throws -> Result) async throws -> Result {
    guard let readers else { return try readOnWriter(body) }
    return try await mappingAsync { try await readers.withReader(body) }
  }

  /// Runs the body with a reader. Blocks the thread where all are in use.
  @available(*, noasync, message: "suspend instead of blocking: use the asynchronous read")
  package func readBlocking<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    guard let readers else { return try readOnWriter(body) }
    return try mapping { try readers.withReaderBlocking(body) }
  }

  package func readOnWriter<Result>(_ body: (StoreConnection) throws -> Result) throws -> Result {
    try exclusively {
      guard let writer else { throw MagicError.closed() }
      return try mapping { try body(writer) }
    }
  }

  /// Runs the body in a transaction, committed when it returns. After a throw nothing of it is
  /// stored, and the objects are as they were.
  ///
  /// - Parameter waits: whether to block the thread, at most for the busy timeout, while another
  ///   process has the file locked. Otherwise that throws ``LockedDatabase`` at once.
  package func write<Result>(
    waits: Bool = true, _ body: (WriteTransaction) throws -> Result
  ) throws -> Result {
    try exclusively {
      guard !isReadOnly else {
        throw MagicError(.readOnly, "The database was opened for reading alone.")
      }
      guard let writer else { throw MagicError.closed() }
      guard !writer.connection.isFileMoved else {
        throw MagicError.fileMoved()
      }
      let transaction = WriteTransaction(store: writer)
      var hasBegun = false
      if !waits { writer.connection.setBusyTimeout(0) }
      defer { if !waits { writer.connection.setBusyTimeout(busyTimeout) } }
      do {
        let result = try mapping {
          try writer.connection.transaction {
            hasBegun = true
            writer.counting.begin(on: writer.connection)
            let result = try body(transaction)
            try transaction.finish()
            return result
          }
        }
        writer.counting.didCommit(on: writer.connection)
        transaction.didCommit()
        rememberToken(on: writer)
        return result
      } catch {
        transaction.didRollBack()
        if !waits, !hasBegun, let error = error as? MagicError, error.code == .busy {
          throw LockedDatabase(error: error)
        }
        throw error
      }
    }
  }

  /// After the first save the database has an identifier, by which it is known when it is opened
  /// again.
  private func rememberToken(on writer: StoreConnection) {
    // A private directory's database is never opened again. An identifier that cannot be read now
    // is read after the next save.
    guard !isTokenRemembered, let key, directory == nil,
      let database = try? Catalogue(connection: writer.connection).databaseIdentifier()
    else { return }
    StoreTokens.shared.remember(token, of: key.file, database: database)
    isTokenRemembered = true
  }

  /// Runs the body as the only user of the writer.
  ///
  /// - Throws: `MagicError` where this thread is its user already: a closure or a conversion of the
  ///   user's called the store that called it.
  private func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = magic_current_thread()
    guard magic_word_load(owner) != thread else {
      throw MagicError(.nestedCall, "The store was called from inside one of its own calls.")
    }
    return try writing.withLock {
      magic_word_store(owner, thread)
      defer { magic_word_store(owner, 0) }
      return try body()
    }
  }

  /// Brings a type's table to its shape, or makes it.
  func updateTable(of schema: ObjectSchema) throws {
    try write { try $0.updateTable(of: schema) }
  }

  func strengthen(_ wanted: StoreOptions.Durability) throws {
    try exclusively {
      let (old, new) = (
        SQLiteConfiguration.Durability(durability), SQLiteConfiguration.Durability(wanted)
      )
      guard new > old, let writer else { return }
      try writer.connection.setDurability(new)
      durability = wanted
    }
  }

  /// Gives this handle back. The last one closes the database, when the calls under way have ended.
  package func release() async {
    guard isLastHandle() else { return }
    await readers?.close()
    closeWriter()
  }

  /// Like ``release()`` without waiting for reads under way; those in line get an error.
  func releaseWithoutWaiting() {
    guard isLastHandle() else { return }
    readers?.closeWithoutWaiting()
    closeWriter()
  }

  private func isLastHandle() -> Bool {
    key.map { StoreRegistry.shared.release($0) } ?? true
  }

  /// The writer goes last: it is the one that can empty the write-ahead log. A private directory
  /// goes with it.
  private func closeWriter() {
    writing.withLock {
      writer?.close()
      writer = nil
      directory = nil
    }
  }
}

/// Another process has the file locked, and nothing was begun.
package struct LockedDatabase: Error {
  /// What to throw when no time is left.
  package let error: MagicError
}
