package import MagicGraph
package import SQLiteEngine

/// One write transaction: the engine's, and what it does to objects.
package struct StoreTransaction {
  package let engine: WriteTransaction
  package let objects: ObjectTransaction

  init(on writer: StoreConnection) {
    engine = WriteTransaction(store: writer)
    objects = ObjectTransaction(engine, changeset: writer.changeset)
  }

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
