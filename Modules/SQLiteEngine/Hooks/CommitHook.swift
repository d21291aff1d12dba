/// Observes the transactions of the connection that writes: the changes of each body are recorded,
/// and published after the commit.
///
/// The hook is called once for each transaction, for each body, or for each statement that changes
/// tables; never for each row.
package protocol CommitHook: AnyObject {
  /// A transaction has begun.
  ///
  /// - Parameter version: the data version of the file for this connection.
  func didBegin(_ version: UInt32?)

  /// A body is about to run in the open transaction, outside any savepoint.
  func willRun() throws

  /// The body has run. Called before the next body runs, and before the commit.
  func didRun() throws -> RecordedBody

  /// The transaction was committed.
  ///
  /// - Parameter version: the data version of the file after the commit.
  func didCommit(_ version: UInt32?)

  /// Publishes the recorded changes of a body, after its commit.
  func publish(_ recorded: RecordedBody)

  /// The transaction was rolled back.
  func didRollBack()

  /// A savepoint of the body was rolled back, with its changes to tables and triggers.
  func didRollBackSavepoint()

  // MARK: Tables

  /// The library is about to change tables. Changes to their rows cannot be recorded.
  ///
  /// - Parameter tables: the folded names of the tables.
  func willAlterTables(_ tables: Set<String>) throws

  /// The library has created or changed tables.
  ///
  /// - Parameter tables: the folded names of the tables.
  func didAlterTables(_ tables: Set<String>) throws

  /// The library has created indexes again.
  func didChangeIndexes() throws

  /// The user's SQL is about to alter a table. SQLite refuses that if a trigger names a column that
  /// is dropped.
  func willAlterTableByUserSQL() throws

  /// The user's SQL has run, and may have changed tables.
  func didRunUserSQL() throws

  /// The temporary tables and triggers of the connection are about to be deleted, outside a
  /// transaction.
  func willDropTemporaryTables()

  // MARK: Other processes

  /// Checks whether another process has committed. Called outside a transaction.
  func checkForExternalCommits()

  /// The connection is about to be closed.
  func close()
}
