public import MagicData
import MagicPostgreSQL
import MagicSchema
public import MagicStore
import PostgreSQLEngine
import PostgreSQLMigration
import MagicRuntime

extension MagicData {
  /// Creates the indexes that types declare and that their tables lack, without preventing writes
  /// meanwhile.
  ///
  /// ```swift
  /// try await magic.createIndexesConcurrently(for: Person.self)
  /// ```
  ///
  /// A migration creates missing indexes too, but in its transaction: all writes wait for it. Before a
  /// new version of a program uses a large table, call this once, for example from a tool that is run
  /// at deployment. The versions that are running are not affected. Indexes over columns that the
  /// table does not have yet are left to the migration.
  ///
  /// The call uses `CREATE INDEX CONCURRENTLY`, which waits for all transactions that are running. What
  /// an interrupted call has left is removed and created again.
  ///
  /// - Returns: the SQL of the statements that were run; empty if no index was missing.
  /// - Throws: `MagicError`: `.notUnique` if rows have equal values of a unique index, `.invalidOption`
  ///   for a database of another engine, `.readOnly`.
  /// - Complexity: O(n log n) in the number of rows, twice.
  @discardableResult
  public func createIndexesConcurrently(
    for types: any MagicObject.Type...
  ) async throws -> [String] {
    let (database, schemas) = try _store.store.databaseAndSchemas(of: types)
    // The statement blocks a thread.
    return try await ThreadActor().run { try database.createIndexes(of: schemas) }
  }
}

extension MagicObjectStore {
  /// Like the asynchronous `createIndexesConcurrently(for:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func createIndexesConcurrently(for types: any MagicObject.Type...) throws -> [String] {
    let (database, schemas) = try databaseAndSchemas(of: types)
    return try database.createIndexes(of: schemas)
  }

  fileprivate func databaseAndSchemas(
    of types: [any MagicObject.Type]
  ) throws -> (database: PostgreSQLDatabase, schemas: [ObjectSchema]) {
    let schemas = try types.map { try ObjectSchema.of($0) }
    try checkOpen()
    guard let database = database as? PostgreSQLDatabase else {
      throw MagicError(.invalidOption, "Only databases of PostgreSQL create indexes concurrently.")
    }
    return (database, schemas)
  }
}
