package import MagicSchema

/// An error that ends a read, or a write in a shared commit, that uses an outdated table. The call
/// that started it migrates the table and then starts it again.
///
/// This is an error because it must pass through closures, some of them user code, from the query
/// that first uses a type to the call that can migrate. The query itself cannot migrate: a read
/// uses a snapshot, on which nothing can be changed, and in a shared commit the migration would
/// delay all writes of the commit. The calls of an ``EngineDatabase`` and the reads of a
/// transaction start again.
package struct MigrationRequired: RestartRequired {
  package let schema: ObjectSchema

  package init(_ schema: ObjectSchema) { self.schema = schema }
}

/// An error after which the call that runs the body of a read prepares what the body needs, and runs it
/// again, even if the body has caught the error.
package protocol RestartRequired: Error {}

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
