import MagicSchema

/// Who wants to know how far a migration has come, and whether it is still wanted.
struct MigrationWatch {
  var cancellation = CancellationToken()
  var progress: (MagicMigrationProgress) -> Void = { _ in }

  var isCancelled: () -> Bool {
    { [cancellation] in cancellation.isCancelled }
  }

  func check() throws(CancellationError) { try cancellation.check() }

  func report(_ schema: ObjectSchema, _ done: Int, of count: Int) {
    progress(MagicMigrationProgress(type: schema.typeName, rowsDone: done, rowCount: count))
  }
}
