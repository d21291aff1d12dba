/// A database for tasks: one connection that writes, and a pool of connections that read.
///
/// ```swift
/// let database = try SQLiteDatabase(path: path)
/// try await database.write { connection in
///   try connection.execute("CREATE TABLE person (name TEXT)")
/// }
/// let count = try await database.read { connection in
///   try connection.integer("SELECT count(*) FROM person")
/// }
/// ```
///
/// Writes run one after the other, each in a transaction. Reads run concurrently with each other
/// and with a write, each on one snapshot.
public actor SQLiteDatabase {
  private let writer: SQLiteConnection?
  private let readers: ConnectionPool<SQLiteConnection>?
  private var isClosed = false

  /// Opens the database at a path.
  ///
  /// - Parameters:
  ///   - readers: the maximum number of connections that read concurrently. Default: 4.
  /// - Throws: ``SQLiteError``, for the same reasons as
  ///   ``SQLiteConnection/init(path:configuration:)``.
  public init(
    path: String, configuration: SQLiteConfiguration = .init(), readers: Int = 4
  ) throws(SQLiteError) {
    var readerConfiguration = configuration
    switch configuration.access {
    case .readWrite, .readWriteExisting:
      writer = try SQLiteConnection(path: path, configuration: configuration)
      readerConfiguration.access = .readOnly
    case .readOnly, .immutable:
      writer = nil
      // Opens the file now, so that an error is thrown here and not by the first read.
      try SQLiteConnection(path: path, configuration: configuration).close()
    }
    let settings = readerConfiguration
    self.readers = ConnectionPool(limit: readers) {
      try SQLiteConnection(path: path, configuration: settings)
    }
  }

  /// Opens a database in memory. Its one connection reads and writes.
  public init(inMemory configuration: SQLiteConfiguration) throws(SQLiteError) {
    writer = try SQLiteConnection(inMemory: configuration)
    readers = nil
  }

  /// Runs the body in a transaction, which is committed when the body returns.
  ///
  /// - Throws: what the body throws, ``SQLiteError``, or `CancellationError` before the transaction
  ///   begins.
  public func write<Result: Sendable>(
    _ body: @Sendable (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try Task.checkCancellation()
    guard !isClosed else { throw SQLiteError.closed() }
    guard let writer else {
      throw SQLiteError(
        extendedCode: SQLiteError.Code.readOnly.rawValue,
        message: "attempt to write a readonly database")
    }
    return try writer.transaction { try body(writer) }
  }

  /// Runs the body on one snapshot of the database.
  ///
  /// - Throws: what the body throws, ``SQLiteError``, or `CancellationError` before the transaction
  ///   begins.
  public nonisolated func read<Result: Sendable>(
    _ body: @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    guard let readers else { return try await readOnWriter(body) }
    return try await readers.withConnection { connection in
      try connection.transaction(.deferred) { try body(connection) }
    }
  }

  /// Closes the connections after the running calls have ended. Later calls throw.
  public func close() async {
    isClosed = true
    await readers?.close()
    writer?.close()
  }

  private func readOnWriter<Result: Sendable>(
    _ body: @Sendable (SQLiteConnection) throws -> Result
  ) throws -> Result {
    guard !isClosed, let writer else { throw SQLiteError.closed() }
    return try writer.transaction(.deferred) { try body(writer) }
  }
}
