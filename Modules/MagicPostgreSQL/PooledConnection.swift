package import MagicRuntime

/// A place for a connection in a pool, with the thread on which it is used. The connection is opened
/// when it is first needed, and again after it was lost.
///
/// Only the caller that has taken the place from its pool uses it.
package final class PooledConnection: @unchecked Sendable {
  package let thread = ThreadActor()
  @exclusivity(unchecked) private var current: PostgreSQLConnection?
  /// The generation in which the connection was opened.
  @exclusivity(unchecked) private var opened = 0
  private let generation: ConnectionGeneration
  private let open: @Sendable () throws -> PostgreSQLConnection
  /// The cancellation of the call that has taken the place.
  @exclusivity(unchecked) package private(set) var cancellation: StatementCancellation?
  /// What a user of the connection keeps with it. Released with the connection.
  @exclusivity(unchecked) package var attachment: AnyObject?

  package init(
    _ generation: ConnectionGeneration = ConnectionGeneration(),
    open: @escaping @Sendable () throws -> PostgreSQLConnection
  ) {
    self.generation = generation
    self.open = open
  }

  /// Returns the connection.
  ///
  /// - Throws: the errors of opening it.
  package func connection() throws -> PostgreSQLConnection {
    let generation = generation.number
    if let current, !current.isLost, opened == generation { return current }
    try cancellation?.check()
    close()
    opened = generation
    let connection = try open()
    connection.attach(cancellation)
    current = connection
    return connection
  }

  /// Runs a body whose statements can be cancelled. A connection that may still receive a request to
  /// cancel a statement is closed at the end, so that it does not reach a statement of another call.
  package func run<Result>(
    _ cancellation: StatementCancellation?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let cancellation else { return try body() }
    self.cancellation = cancellation
    current?.attach(cancellation)
    defer {
      self.cancellation = nil
      current?.attach(nil)
      if cancellation.end() { close() }
    }
    return try body()
  }

  /// Returns the attachment if the connection is open, and ``connection()`` would not open it again.
  package var openAttachment: AnyObject? {
    guard let current, !current.isLost, opened == generation.number else { return nil }
    return attachment
  }

  package func close() {
    attachment = nil
    current?.close()
    current = nil
  }
}
