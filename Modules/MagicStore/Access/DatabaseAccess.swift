package import MagicEngine
package import MagicGraph

/// The access of one call that reads. Its contents are internal to the library.
public struct _MagicReadAccess: ~Copyable {
  package let reader: any EngineReader

  package init(_ reader: any EngineReader) { self.reader = reader }
}

/// The access of one call that writes. Its contents are internal to the library.
public struct _MagicWriteAccess: ~Copyable {
  /// The transaction in terms of objects.
  package let objects: ObjectTransaction

  init(_ objects: ObjectTransaction) { self.objects = objects }

  /// - Parameter engine: a transaction that has just begun.
  package init(_ engine: any EngineTransaction) { objects = ObjectTransaction(engine) }

  /// The engine's transaction.
  package var engine: any EngineTransaction { objects.engine }
}

/// A lookup of a row by its primary. Its contents are internal to the library.
public struct _MagicRowLookUp {
  package let lookUp: RowLookUp

  package init(_ lookUp: RowLookUp) { self.lookUp = lookUp }

  /// The result of a lookup. Its contents are internal to the library.
  public struct Result {
    package let row: RowLookUp.Result

    package init(_ row: RowLookUp.Result) { self.row = row }
  }
}

/// A synchronous reader of objects: a store, a snapshot or a transaction.
public protocol MagicDatabaseReader: ~Copyable {
  /// Runs a read. Queries and raw SQL are built on it.
  func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
}

/// A synchronous writer of objects: a store or a transaction.
public protocol MagicDatabaseWriter: MagicDatabaseReader, ~Copyable {
  /// Runs a write as one atomic unit.
  ///
  /// - Parameter isOneRow: whether the write changes one row with one statement, which is atomic
  ///   without a savepoint.
  func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result
}

extension MagicDatabaseWriter where Self: ~Copyable {
  func _write<Result>(_ body: (borrowing _MagicWriteAccess) throws -> Result) throws -> Result {
    try _write(isOneRow: false, body)
  }
}

/// An asynchronous reader of objects: a database.
public protocol AsyncMagicDatabaseReader: Sendable {
  /// Runs a read.
  func _read<Result: Sendable>(
    _ body: @Sendable (borrowing _MagicReadAccess) throws -> Result
  ) async throws -> Result

  /// Looks up a row by its primary on the thread of the caller, without waiting for a reader. Default: the
  /// result is unknown.
  ///
  /// - Parameter addPrimary: adds the primary value to the parameters of the reader.
  func _findRow(
    _ lookUp: _MagicRowLookUp, _ addPrimary: (borrowing _MagicReadAccess) throws -> Void
  ) throws -> _MagicRowLookUp.Result
}

extension AsyncMagicDatabaseReader {
  /// The result is unknown: the database has no rows in memory.
  public func _findRow(
    _ lookUp: _MagicRowLookUp, _ addPrimary: (borrowing _MagicReadAccess) throws -> Void
  ) throws -> _MagicRowLookUp.Result { _MagicRowLookUp.Result(.unknown) }
}

/// An asynchronous writer of objects: a database.
public protocol AsyncMagicDatabaseWriter: AsyncMagicDatabaseReader {
  /// Runs a write as one atomic unit.
  ///
  /// - Parameter isRepeatable: whether the body may run again. This happens if the failure of
  ///   another write rolled back the changes of the body.
  func _write<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (borrowing _MagicWriteAccess) throws -> Result
  ) async throws -> Result
}
