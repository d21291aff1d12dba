/// Follows the transactions of the connection that writes: each body in them is recorded, and what
/// was recorded is published after the commit.
///
/// It is called once per transaction, per body, or per statement that changes tables; never per row.
package protocol CommitHook: AnyObject {
  /// A transaction has begun.
  ///
  /// - Parameter version: of the file, as the connection sees it.
  func didBegin(_ version: UInt32?)

  /// A body is about to run, in the transaction that is open and outside of any savepoint.
  func willRun() throws

  /// The body has run. Called before the next one runs, and before the commit.
  func didRun() throws -> RecordedBody

  /// The transaction was committed.
  ///
  /// - Parameter version: of the file, as the commit left it.
  func didCommit(_ version: UInt32?)

  /// Publishes what was recorded of a body, after its commit.
  func publish(_ recorded: RecordedBody)

  /// The transaction was rolled back.
  func didRollBack()

  /// A savepoint of the body was rolled back, with what it had done to tables and triggers.
  func didRollBackPart()

  // MARK: Tables

  /// The library is about to change tables: which of their rows change cannot be recorded.
  ///
  /// - Parameter tables: their folded names.
  func willAlterTables(_ tables: Set<String>) throws

  /// The library has created or changed tables.
  ///
  /// - Parameter tables: their folded names.
  func didAlterTables(_ tables: Set<String>) throws

  /// The user's SQL is about to alter a table, which SQLite refuses where a trigger names a column
  /// that is dropped.
  func willAlterTableByUserSQL() throws

  /// The user's SQL has run: it may have changed tables.
  func didRunUserSQL() throws

  /// The temporary tables and triggers of the connection are deleted, outside of a transaction.
  func willDropTemporaryTables()

  // MARK: Other processes

  /// Checks whether another process has committed, outside of a transaction.
  func checkForExternalCommits()

  /// The connection is about to be closed.
  func close()
}
