/// A standby server of PostgreSQL that answers reads outside of transactions.
///
/// A read is answered by the standby only if it has everything that the database has written, and the
/// last transaction that it has is not older than ``maxLag``. Otherwise the server that writes answers
/// it, also if the standby cannot be reached.
public struct MagicReplica: Sendable {
  /// The connection string of the standby.
  public var connection: String
  /// The greatest age of what is read, in seconds. While no process writes, a process that reads writes an empty
  /// transaction to the log of the server that writes when half of this time is over.
  public var maxLag: Double

  /// Creates a replica.
  public init(_ connection: String, maxLag: Double = 1) {
    self.connection = connection
    self.maxLag = maxLag
  }
}
