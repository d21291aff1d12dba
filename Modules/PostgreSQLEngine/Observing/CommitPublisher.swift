package import MagicPostgreSQL

/// Publishes the commits of a database to its observers. The module `PostgreSQLChanges` implements it.
package protocol CommitPublisher: AnyObject, Sendable {
  /// Begins to publish commits. Blocks until each later commit is published, for some seconds at most.
  ///
  /// - Parameter canWait: false on a thread inside a transaction, for whose end the call would wait.
  func start(canWait: Bool)

  /// Called before a transaction that writes begins, on a thread that may block. Waits while the
  /// publisher starts, so that the transaction is published.
  func waitForStart()

  /// Called in a transaction that has created or changed tables, before it writes rows to them.
  func didUpdateTables(on connection: PostgreSQLConnection) throws

  /// Called before the commit of a transaction.
  ///
  /// - Parameter altered: the tables whose schema the transaction has changed.
  /// - Returns: the SQL that identifies the commit, to run before it, and what waits until the commit
  ///   is published; nil if the commits of this database are not published one by one.
  func willCommit(
    altered: Set<String>, on connection: PostgreSQLConnection
  ) throws -> (sql: String, commit: (any PublishedCommit)?)

  /// Ends publishing, after the published commits of this database.
  ///
  /// - Parameter waits: whether to wait for the last commits and for the end of the thread.
  func stop(waits: Bool)
}

/// A commit of this database that the publisher publishes.
package protocol PublishedCommit: AnyObject, Sendable {
  /// Called when the objects of the transaction have their new state. Observers are notified after
  /// it.
  func didCommit()

  /// Called if the commit has failed, or may have failed.
  func didFail()

  /// Waits until the observers were notified, for some seconds at most.
  func wait() async

  /// The same as ``wait()`` for threads.
  @available(*, noasync)
  func waitBlocking()
}
