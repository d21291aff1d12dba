package import MagicPostgreSQL

/// How a write transaction is kept apart from other transactions.
package enum WriteMode: Sendable, Equatable {
  /// Beside other transactions, at the level SERIALIZABLE: the server refuses a commit whose result
  /// would differ from that of any order of the transactions.
  case concurrent
  /// After the running write transactions have ended, and before others begin.
  case exclusive
  /// The same, with one snapshot for all statements.
  case exclusiveSnapshot
  /// The same as ``exclusive``, but waiting for running transactions for a limited time, in milliseconds:
  /// the transactions that begin meanwhile wait behind it.
  case migration(timeout: Int)

  /// The SQL that begins a transaction. The level is set because the default could be another one.
  ///
  /// `LOCK TABLE` takes no snapshot, unlike a function that takes an advisory lock. A transaction
  /// that has waited for the lock therefore sees everything that was committed meanwhile.
  package var begin: String {
    switch self {
    case .concurrent: Self.beginConcurrent.map(\.sql).joined(separator: "; ")
    case .exclusive:
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; \(Self.lockAlone)"
    case .migration(let timeout):
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout TO \(timeout); "
        + "\(Self.lockAlone); SET LOCAL lock_timeout TO DEFAULT"
    case .exclusiveSnapshot:
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; \(Self.lockAlone)"
    }
  }

  /// The statements that begin a concurrent transaction.
  package static let beginConcurrent = [
    PostgreSQLStatement("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE", runsOnce: true),
    PostgreSQLStatement("LOCK TABLE magic_format IN ROW SHARE MODE", runsOnce: true),
  ]

  /// The SQL that waits, in a transaction, until no other transaction writes.
  package static let lockAlone = "LOCK TABLE magic_format IN EXCLUSIVE MODE"
}
