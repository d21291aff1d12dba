/// Runs reads and writes. The engine runs the body of a read on a snapshot, and the body of a write
/// in a transaction.
package protocol EngineAccess: AnyObject, Sendable {
  /// Whether the database is opened read-only.
  var isReadOnly: Bool { get }

  /// Runs a read. If a table is outdated, it is migrated, and the body runs again.
  ///
  /// - Throws: the errors of the body, `MagicError`, and `CancellationError`.
  func reading<Result: Sendable>(
    _ body: @Sendable (any EngineReader) throws -> Result
  ) async throws -> Result

  /// Looks up a row by its primary on the thread of the caller, without waiting for a reader.
  ///
  /// - Parameter addPrimary: adds the primary value to the parameters of the reader.
  /// - Returns: `.unknown` if the row is not in memory and must not be read, if no connection is idle, if the
  ///   table is missing or must be migrated first, or if rows like it are never kept in memory. Default:
  ///   `.unknown`.
  /// - Throws: as ``reading(_:)``.
  func findRow(
    _ lookUp: RowLookUp, _ addPrimary: (any EngineReader) throws -> Void
  ) throws -> RowLookUp.Result

  /// Runs a read. Blocks the thread until a connection is available.
  ///
  /// - Throws: as ``reading(_:)``, and `.nestedCall` inside a read or write of the database.
  @available(*, noasync)
  func readBlocking<Result>(_ body: (any EngineReader) throws -> Result) throws -> Result

  /// Runs a write in a transaction, which is committed when the call returns. If the body or the
  /// commit throws, the changes are rolled back.
  ///
  /// - Parameter isRepeatable: whether the body may run again. This happens if the failure of
  ///   another write rolled back the changes of the body.
  func writing<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (any EngineTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a write. Blocks the thread until the running writes have ended.
  ///
  /// - Throws: as ``writing(isRepeatable:_:)``, and `.nestedCall` inside a read or write of the
  ///   database.
  @available(*, noasync)
  func writeBlocking<Result>(_ body: (any EngineTransaction) throws -> Result) throws -> Result
}

extension EngineAccess {
  package func findRow(
    _ lookUp: RowLookUp, _ addPrimary: (any EngineReader) throws -> Void
  ) throws -> RowLookUp.Result { .unknown }
}
