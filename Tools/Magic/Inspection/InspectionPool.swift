import MagicSQLite

/// Readers of one file for tasks: a pool of read-only connections.
///
/// ```swift
/// let pool = try InspectionPool(path: path)
/// let names = try await pool.read { try $0.database().types.map(\.name) }
/// ```
public struct InspectionPool: Sendable {
  /// The path of the file.
  public let path: String
  private let database: SQLiteDatabase
  private let deletesLog: Bool

  /// Opens a file.
  ///
  /// - Parameter readers: the maximum number of concurrent reads. Default: 2.
  /// - Throws: ``InspectionError``, as ``InspectionReader/init(path:)``.
  public init(path: String, readers: Int = 2) throws(InspectionError) {
    // Throws the errors of a file that cannot be read.
    let first = try InspectionReader(path: path)
    let path = first.path
    self.path = path
    let access = first.connection.configuration.access
    deletesLog = access == .readOnly && first.hasLog
    // The log stays for the pool.
    first.connection.close()
    do {
      database = try SQLiteDatabase(
        path: path, configuration: InspectionReader.configuration(access), readers: readers)
    } catch {
      throw InspectionError(error)
    }
  }

  /// Runs a body on one snapshot of the file, with a limit of time.
  ///
  /// - Throws: what the body throws, and ``InspectionError``: `limit` soon after the time.
  public func read<Result: Sendable>(
    within duration: Duration = .seconds(1),
    _ body: @Sendable (InspectionReader) throws -> Result
  ) async throws -> Result {
    do {
      return try await database.read { connection in
        let reader = try InspectionReader(path: path, connection: connection)
        return try reader.limited(to: duration) { try body(reader) }
      }
    } catch let error as SQLiteError {
      throw InspectionError(error)
    }
  }

  package func makeCommitCounter() -> any CommitCounter { FileCommitCounter(path: path) }

  /// Closes the connections after the running reads have ended. Later calls throw. An empty write-ahead
  /// log is deleted if no other connection has the file open.
  public func close() async {
    await database.close()
    if deletesLog { InspectionReader.deleteEmptyLog(of: path) }
  }
}

extension InspectionPool: DatabasePool {
  package var pageTime: Duration { .seconds(1) }

  package func read<Result: Sendable>(
    within duration: Duration, _ body: @escaping @Sendable (any DatabaseReading) throws -> Result
  ) async throws -> Result {
    try await read(within: duration) { (reader: InspectionReader) in try body(reader) }
  }
}

/// The number of commits of a file, by a reader of its own.
private actor FileCommitCounter: CommitCounter {
  private var reader: InspectionReader?
  private let path: String

  let interval = Duration.milliseconds(20)

  init(path: String) { self.path = path }

  func next() throws -> Int64 {
    let reader = try reader ?? InspectionReader(path: path)
    self.reader = reader
    return try reader.commitCounter()
  }

  func close() {
    reader?.close()
    reader = nil
  }
}
