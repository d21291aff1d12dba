/// How a database learns of the commits of all processes.
package enum ObservationMode: Sendable, Hashable {
  /// ``logical`` where the server and the user permit it, else ``outbox(_:)``.
  case automatic
  /// By logical decoding of the server's write-ahead log.
  case logical
  /// By a table to which triggers write. Its parameter is the interval in seconds in which the table
  /// is read.
  case outbox(Double)

  /// The interval in seconds in which an outbox is read, or the database is asked for commits.
  package var interval: Double {
    if case .outbox(let interval) = self { return interval }
    return 0.5
  }
}
