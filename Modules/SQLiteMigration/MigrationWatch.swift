package import MagicEngine
import MagicSQLite
import MagicSchema

/// Reports the progress of a migration, and tells whether it was cancelled.
package struct MigrationWatch {
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

  /// Runs a body that ends soon after the cancellation.
  func withCancellationCheck(on connection: SQLiteConnection, _ body: () throws -> Void) throws {
    try connection.withCancellationCheck(isCancelled) {
      do {
        try body()
      } catch {
        // A statement that was interrupted by the cancellation fails with an error of its own.
        try check()
        throw error
      }
    }
  }

  func report(_ schema: ObjectSchema, _ done: Int, of count: Int) {
    progress(MagicMigrationProgress(type: schema.typeName, rowsDone: done, rowCount: count))
  }
}
