/// Runs reads and writes: bodies that the engine runs on a snapshot, or in a transaction of its own.
package protocol EngineAccess: AnyObject, Sendable {
  /// Whether the database is only read.
  var isReadOnly: Bool { get }

  /// Runs a read. An outdated table is migrated, and the body then runs again.
  ///
  /// - Throws: what the body throws, `MagicError`, and `CancellationError`.
  func reading<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result

  /// Runs a read. Blocks the thread until it can run.
  ///
  /// - Throws: as ``reading(_:)``, and `.nestedCall` inside of a read or write of the database.
  @available(*, noasync)
  func readBlocking<Result>(_ body: (any EngineReader) throws -> Result) throws -> Result

  /// Runs a write in a transaction, which is committed when the call returns. Nothing of it stays where
  /// the body or the commit throws.
  ///
  /// - Parameter isRepeatable: whether the body may run again, where the failure of another write
  ///   rolled back what it had done.
  func writing<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a write. Blocks the thread while others write.
  ///
  /// - Throws: as ``writing(isRepeatable:_:)``, and `.nestedCall` inside of a read or write of the
  ///   database.
  @available(*, noasync)
  func writeBlocking<Result>(_ body: (any EngineTransaction) throws -> Result) throws -> Result
}
