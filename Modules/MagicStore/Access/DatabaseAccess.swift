package import MagicEngine
package import MagicGraph

/// What one call reads with. Only the library's own modules see into it.
public struct ReadAccess: ~Copyable {
  package let reader: any EngineReader

  package init(_ reader: any EngineReader) { self.reader = reader }
}

/// What one call writes with. Only the library's own modules see into it.
public struct WriteAccess: ~Copyable {
  /// What it does to objects.
  package let objects: ObjectTransaction

  init(_ objects: ObjectTransaction) { self.objects = objects }

  /// - Parameter engine: a transaction that has just begun.
  package init(_ engine: any EngineTransaction) { objects = ObjectTransaction(engine) }

  /// The engine's transaction.
  package var engine: any EngineTransaction { objects.engine }
}

/// What reads objects without suspending: a store, a snapshot, a transaction.
public protocol DatabaseReader: ~Copyable {
  /// Runs a read. Queries and raw SQL are built on it.
  func _read<Result>(_ body: (borrowing ReadAccess) throws -> Result) throws -> Result
}

/// What writes objects without suspending: a store or a transaction.
public protocol DatabaseWriter: DatabaseReader, ~Copyable {
  /// Runs a write: all of it or nothing.
  ///
  /// - Parameter isOneRow: whether it changes one row by one statement, which is all or nothing by
  ///   itself.
  func _write<Result>(
    isOneRow: Bool, _ body: (borrowing WriteAccess) throws -> Result
  ) throws -> Result
}

extension DatabaseWriter where Self: ~Copyable {
  func _write<Result>(_ body: (borrowing WriteAccess) throws -> Result) throws -> Result {
    try _write(isOneRow: false, body)
  }
}

/// What reads objects from tasks: a database.
public protocol AsyncDatabaseReader: Sendable {
  /// Runs a read.
  func _read<Result: Sendable>(
    _ body: @Sendable (borrowing ReadAccess) throws -> Result
  ) async throws -> Result
}

/// What writes objects from tasks: a database.
public protocol AsyncDatabaseWriter: AsyncDatabaseReader {
  /// Runs a write: all of it or nothing.
  ///
  /// - Parameter isRepeatable: whether the body may run again, where the failure of another write
  ///   rolled back what it had done.
  func _write<Result: Sendable>(
    isRepeatable: Bool, _ body: @Sendable (borrowing WriteAccess) throws -> Result
  ) async throws -> Result
}
