package import MagicEngine
package import PostgreSQLTables

/// The options for opening a database, as the engine uses them.
package struct PostgreSQLSettings: Sendable {
  /// The connection string of libpq.
  package var information: String
  /// The schema that contains the tables; nil for the one that the server chooses.
  package var schema: String?
  package var isReadOnly = false
  package var readers = 4
  /// How long a connection uses types before it reads again whether another process has migrated them.
  package var typeCheckNanoseconds: UInt64 = 1_000_000_000
  /// How long lookups wait for the answers to those that were sent, so that they share a message.
  package var lookUpMilliseconds = 20
  /// The mode of the transactions of asynchronous callers.
  package var transactionMode = WriteMode.concurrent
  /// How long a call looks for a server after a connection was lost.
  package var reconnectNanoseconds: UInt64 = 30_000_000_000
  /// The connection string of a standby server for reads; nil to read from the server that writes.
  package var replica: String?
  /// The greatest age of what the standby has, in seconds.
  package var maxLag = 1.0
  package var diagnostics: MagicDiagnostics?
  /// How long a migration waits for the lock of a table, in seconds.
  package var migrationTimeout = 5.0
  /// How long a commit waits for its answer, in milliseconds; nil for no limit.
  package var commitMilliseconds: Int?
  package var observation = ObservationMode.automatic
  /// Receives a sentence when observers cannot use logical decoding.
  package var note: (@Sendable (String) -> Void)?
  /// Receives the SQL of every statement.
  package var trace: (@Sendable (String) -> Void)?

  package init(_ information: String) { self.information = information }
}
