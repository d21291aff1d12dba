package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Inserts many rows while the caller captures the next ones.
extension PostgreSQLTransaction {
  /// The number of rows from which the server works longer than the round trip takes.
  private static var startCount: Int { 1_024 }

  /// An insertion whose rows were sent.
  struct StartedInsertion {
    let changes: Changeset
    let groups: [RowChanges]
  }

  package func start(_ changes: Changeset) throws -> Bool {
    let groups = changes.remainingGroups
    guard let first = groups.first, canStart(groups) else { return false }
    try complete()
    try Task.checkCancellation()
    let schema = first.schema
    let statements = try statements(of: schema)
    // The caller must not wait for the row IDs of the next rows.
    if !schema.hasRowIDPrimary,
      !session.blocks.has(Self.count(groups), session.tables.number(of: schema))
    {
      try session.reserveBlocks(of: schema)
    }
    try prepare(groups, of: changes)
    try translatingErrors(schema) {
      try copy(
        groups, of: changes, statements, statements.copyInSavepoint,
        deferredIn: TypeStatements.copySavepoint)
    }
    started = StartedInsertion(changes: changes, groups: groups)
    return true
  }

  /// Whether groups are many new rows of one type, whose values the server does not assign.
  private func canStart(_ groups: [RowChanges]) -> Bool {
    let schema = groups[0].schema
    return !isShared && schema.version == nil && schema.countedColumn == nil
      && schema.fileColumns.isEmpty && Self.count(groups) >= Self.startCount
      && groups[0].operation.isInsertion && Self.batches(of: groups).count == 1
  }

  package func complete() throws {
    guard let started else { return }
    self.started = nil
    let (groups, changes) = (started.groups, started.changes)
    let schema = groups[0].schema
    var outcomes: [RowOutcome] = []
    try translatingErrors(schema) {
      try session.connection.finishDeferred()
      guard let error = session.connection.takeDeferredError() else { return }
      guard error.sqlState == "23505" else { throw error }
      guard groups[0].operation == .upsert else { throw takenPrimary(error, groups[0]) }
      try upsertStored(groups, of: changes, statements(of: schema), &outcomes)
    }
    for outcome in outcomes { changes.add(outcome) }
  }

  /// Waits for the end of the started insertion, which is rolled back.
  func discardStarted() {
    guard started != nil else { return }
    started = nil
    // A lost connection is reported by the rollback.
    _ = Result { try session.connection.finishDeferred() }
    _ = session.connection.takeDeferredError()
  }
}
