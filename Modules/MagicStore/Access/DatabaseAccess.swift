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

  /// Runs a lookup of a row in memory, on the thread of the caller and without waiting for a reader. Returns
  /// nil if the row is not in memory. Default: nil.
  func _readCached<Result>(
    _ body: (borrowing _MagicReadAccess) throws -> Result?
  ) throws -> Result?
}

extension AsyncMagicDatabaseReader {
  /// Returns nil: the database has no rows in memory.
  public func _readCached<Result>(
    _ body: (borrowing _MagicReadAccess) throws -> Result?
  ) throws -> Result? { nil }
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
