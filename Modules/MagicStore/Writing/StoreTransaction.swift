package import MagicGraph
package import SQLiteEngine

/// One write transaction: the engine's, and what it does to objects.
package struct StoreTransaction {
  package let objects: ObjectTransaction

  init(on writer: StoreConnection) {
    objects = ObjectTransaction(WriteTransaction(store: writer), changeset: writer.changeset)
  }

  /// The engine's transaction.
  package var engine: WriteTransaction { unsafeDowncast(objects.engine, to: WriteTransaction.self) }

  /// Runs a part of the transaction of which nothing stays where it throws.
  ///
  /// - Parameter isOneRow: whether it is one statement, which is rolled back by itself.
  func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try engine.requireOpen()
    return try objects.nested { try engine.nested(isOneRow: isOneRow, body) }
  }

  func didCommit() {
    engine.didCommit()
    objects.didCommit()
  }

  /// - Parameter isCertain: false after a commit that failed: what the write-ahead log has of it may
  ///   come true, should the process end now.
  func didRollBack(isCertain: Bool = true) {
    objects.didRollBack()
    engine.didRollBack(isCertain: isCertain)
  }
}
