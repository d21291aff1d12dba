package import MagicEngine
package import MagicGraph

/// What one call reads with. Only the library's own modules see into it.
public struct _MagicReadAccess: ~Copyable {
  package let reader: any EngineReader

  package init(_ reader: any EngineReader) { self.reader = reader }
}

/// What one call writes with. Only the library's own modules see into it.
public struct _MagicWriteAccess: ~Copyable {
  /// What it does to objects.
  package let objects: ObjectTransaction

  init(_ objects: ObjectTransaction) { self.objects = objects }

  /// - Parameter engine: a transaction that has just begun.
  package init(_ engine: any EngineTransaction) { objects = ObjectTransaction(engine) }

  /// The engine's transaction.
  package var engine: any EngineTransaction { objects.engine }
}

/// What reads objects without suspending: a store, a snapshot, a transaction.
public protocol MagicDatabaseReader: ~Copyable {
  /// Runs a read. Queries and raw SQL are built on it.
  func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
}

/// What writes objects without suspending: a store or a transaction.
public protocol MagicDatabaseWriter: MagicDatabaseReader, ~Copyable {
  /// Runs a write: all of it or nothing.
  ///
  /// - Parameter isOneRow: whether it changes one row by one statement, which is all or nothing by
  ///   itself.
  func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result
}

extension MagicDatabaseWriter where Self: ~Copyable {
  func _write<Result>(_ body: (borrowing _MagicWriteAccess) throws -> Result) throws -> Result {
    try _write(isOneRow: false, body)
  }
}

/// What reads objects from tasks: a database.
public protocol AsyncMagicDatabaseReader: Sendable {
  /// Runs a read.
  func _read<Result: Sendable>(
    _ body: @Sendable (borrowing _MagicReadAccess) throws -> Result
  ) async throws -> Result
}

/// What writes objects from tasks: a database.
public protocol AsyncMagicDatabaseWriter: AsyncMagicDatabaseReader {
  /// Runs a write: all of it or nothing.
  ///
  /// - Parameter isRepeatable: whether the body may run again, where the failure of another write
  ///   rolled back what it had done.
  func _write<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (borrowing _MagicWriteAccess) throws -> Result
  ) async throws -> Result
}
