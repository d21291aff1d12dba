package import MagicSchema

/// An error that ends a read or a shared write that uses an outdated table. The call that began it
/// migrates the table and then begins again.
///
/// This is an error because there are closures, some of them user code, between the query that
/// first uses a type and the call that can migrate. The query itself cannot migrate: a read uses a
/// snapshot, on which nothing can be changed, and in a shared write the migration would delay all
/// writes of the same commit. The calls that begin again are those of an ``EngineDatabase``, and
/// the reads of a transaction.
package struct MigrationRequired: Error {
  package let schema: ObjectSchema

  package init(_ schema: ObjectSchema) { self.schema = schema }
}

/// Runs a body, and runs it again after each migration that it requires.
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
