package import MagicEngine
import MagicSQLite
import MagicSchema

/// The progress handler and the cancellation token of a migration.
package struct MigrationMonitor {
  package var cancellation = CancellationToken()
  package var progress: (MagicMigrationProgress) -> Void = { _ in }

  package init(
    cancellation: CancellationToken = CancellationToken(),
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) {
    self.cancellation = cancellation
    self.progress = progress
  }

  package var isCancelled: () -> Bool {
    { [cancellation] in cancellation.isCancelled }
  }

  package func check() throws(CancellationError) { try cancellation.check() }

  /// Runs a body whose SQL statements are interrupted after a cancellation.
  func withCancellationCheck(on connection: SQLiteConnection, _ body: () throws -> Void) throws {
    try connection.withCancellationCheck(isCancelled) {
      do {
        try body()
      } catch {
        // A statement that the cancellation has interrupted fails with an SQLite error.
        try check()
        throw error
      }
    }
  }

  func report(_ schema: ObjectSchema, _ done: Int, of count: Int) {
    progress(MagicMigrationProgress(type: schema.typeName, rowsDone: done, rowCount: count))
  }
}
