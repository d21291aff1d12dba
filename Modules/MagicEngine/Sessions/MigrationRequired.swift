package import MagicSchema

/// Ends a read or a shared write that meets an outdated table, so that the call which began it can
/// migrate the table and begin again.
///
/// It is an error because closures, also of users, are between the query that meets a type for the first
/// time and the call that may migrate: a read holds a snapshot, on which nothing can be changed, and a
/// shared write would let all writes of its commit wait. The calls that begin again are those of an
/// ``EngineDatabase``, and the reads of a transaction.
package struct MigrationRequired: Error {
  package let schema: ObjectSchema

  package init(_ schema: ObjectSchema) { self.schema = schema }
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
