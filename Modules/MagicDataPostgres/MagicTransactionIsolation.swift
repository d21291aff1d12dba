public import MagicData
import MagicRuntime
public import MagicStore
import PostgreSQLEngine
import PostgreSQLTables

/// How the transactions of several processes are kept apart in a database of PostgreSQL.
///
/// In both cases the result is that of transactions that run one after the other. The transactions of
/// one process always do.
public enum MagicTransactionIsolation: Sendable {
  /// Transactions of several processes run at the same time, at the level SERIALIZABLE. If they
  /// conflict, the server rolls one of them back, and its body runs again; after five conflicts, it
  /// runs alone.
  ///
  /// A body may therefore run several times. It should fetch the objects that it changes, and have no
  /// effects outside of the database.
  case serializable
  /// A transaction waits for the transactions of all processes, and runs alone. Its body runs once.
  case exclusive

  var mode: WriteMode {
    switch self {
    case .serializable: .concurrent
    case .exclusive: .exclusive
    }
  }
}

extension MagicData {
  /// Runs the body in a transaction with an isolation of its own, in place of the option
  /// ``PostgresOptions/transactions``.
  ///
  /// ```swift
  /// try await magic.transaction(isolation: .exclusive) { transaction in
  ///   person.age += 1
  ///   try transaction.update(person)
  /// }
  /// ```
  ///
  /// - Returns: the result of the body.
  /// - Throws: the errors of the body, `MagicError`, or `CancellationError`. Nothing is stored then.
  @discardableResult
  public nonisolated func transaction<Result: Sendable>(
    isolation: MagicTransactionIsolation,
    _ body: @Sendable (borrowing MagicTransaction) throws -> Result
  ) async throws -> Result {
    try await PostgreSQLDatabase.$transactionMode.withValue(isolation.mode) {
      try await transaction(body)
    }
  }

  /// Returns whether the transaction of an error with the code `.uncertain` was committed. If not, it
  /// never will be: the call can be repeated.
  ///
  /// The table `magic_commits` keeps such transactions for a day. Ask before that time is over.
  ///
  /// ```swift
  /// do {
  ///   try await magic.update(person)
  /// } catch let error as MagicError where error.code == .uncertain {
  ///   if try await !magic.wasCommitted(error) { try await magic.update(person) }
  /// }
  /// ```
  ///
  /// - Throws: `MagicError` with `.invalidOption` if the error contains no transaction, or the error
  ///   of connecting if no server answers. With `.uncertain` while the server has not ended the
  ///   transaction, for example because it waits for a synchronous standby: ask again later.
  public nonisolated func wasCommitted(_ error: MagicError) async throws -> Bool {
    guard let database = store.database as? PostgreSQLDatabase,
      let token = PostgreSQLDatabase.token(of: error)
    else {
      throw MagicError(.invalidOption, "The error contains no transaction of PostgreSQL.")
    }
    try store.checkOpen()
    return try await database.isCommittedAsynchronously(token)
  }
}
