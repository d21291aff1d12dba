package import MagicSchema

/// Ends a read or a shared write that meets an outdated table, so that the call which began it can
/// migrate the table and begin again.
///
/// An outdated table is otherwise a value, ``TableState/outdated``. It is an error here because
/// closures, also of users, are between the query that meets a type for the first time and the call
/// that has the writer: a read holds a snapshot, on which nothing can be changed, and a shared write
/// would let all writes of its commit wait. The calls that begin again are `_read` of a store, of a
/// transaction and of a snapshot, `SharedStore.reading` and `SharedStore.writing`.
package struct MigrationRequired: Error {
  package let schema: ObjectSchema

  init(_ schema: ObjectSchema) { self.schema = schema }
}

extension StoreConnection {
  /// The statements of a type; nil where it has no table.
  ///
  /// - Throws: ``MigrationRequired`` where the table is outdated.
  package func statements(of schema: ObjectSchema) throws -> TypeStatements? {
    switch try table(of: schema) {
    case .current(let statements): statements
    case .missing: nil
    case .outdated: throw MigrationRequired(schema)
    }
  }
}

/// Runs a body, and again after each migration that it requires.
package func retryingAfterMigration<Result>(
  _ body: () throws -> Result, migrate: (ObjectSchema) throws -> Void
) throws -> Result {
  while true {
    do {
      return try body()
    } catch let required as MigrationRequired {
      try migrate(required.schema)
    }
  }
}
