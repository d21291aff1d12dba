import MagicPostgreSQL
import PostgreSQLEngine

/// Finds the commits of all processes, on the thread of a publisher.
protocol CommitSource: AnyObject {
  /// Where commits of this database are found; nil if they cannot be distinguished from those of
  /// other processes.
  var record: CommitRecord? { get }

  /// Prepares the server, so that each later commit is found.
  ///
  /// - Parameter mustEnd: whether the caller wants to end.
  /// - Throws: `PostgreSQLError`, with `.refused` if the server or the user of the connection lacks
  ///   what the source needs.
  func open(mustEnd: @escaping @Sendable () -> Bool) throws

  /// Publishes the commits that were found, and waits for others, for half a second at most.
  func step() throws

  func close()
}

/// A connection for statements beside a stream, opened when it is needed.
final class SideConnection {
  private let context: PublisherContext
  private var connection: PostgreSQLConnection?

  init(_ context: PublisherContext) { self.context = context }

  func open() throws -> PostgreSQLConnection {
    if let connection, !connection.isLost { return connection }
    let connection = try context.connect()
    self.connection = connection
    return connection
  }

  func close() {
    connection?.close()
    connection = nil
  }
}

extension PostgreSQLConnection {
  /// Runs a body in a transaction that no other transaction of the library runs beside.
  ///
  /// - Throws: the errors of the body, and `PostgreSQLError` with the SQLSTATE 55P03 after three
  ///   seconds.
  func withWritingLocked<Result>(_ body: () throws -> Result) throws -> Result {
    try execute(
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout TO '3s'; "
        + PublisherContext.lockForWriting)
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }
}
