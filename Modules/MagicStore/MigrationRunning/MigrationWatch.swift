import MagicSchema

/// Reports the progress of a migration, and tells whether it was cancelled.
struct MigrationWatch {
  var cancellation = WorkCancellation()
  var progress: (MagicMigrationProgress) -> Void = { _ in }

  var isCancelled: () -> Bool {
    { [cancellation] in cancellation.isCancelled }
  }

  func check() throws(CancellationError) { try cancellation.check() }

  func report(_ schema: ObjectSchema, _ done: Int, of count: Int) {
    progress(MagicMigrationProgress(type: schema.typeName, rowsDone: done, rowCount: count))
  }
}
