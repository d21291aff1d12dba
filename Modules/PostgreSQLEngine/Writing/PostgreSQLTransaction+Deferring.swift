import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Statements of a transaction that several calls share: their results are usually those of the most
/// frequent case, and are checked together.
extension PostgreSQLTransaction {
  /// Sends the statements of a few rows without waiting for their results. If one has another result,
  /// the transaction is rolled back, and each call runs in a transaction of its own.
  ///
  /// - Returns: whether the rows were sent. Otherwise the caller runs them.
  func runLater(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements
  ) throws -> Bool {
    let schema = group.schema
    guard group.rows.count < 4, schema.version == nil, schema.countedColumn == nil else {
      return false
    }
    switch group.operation {
    case .insert, .insertNew:
      try send(group, of: changes, statements, statements.statement(.insert)) { _ in { _ in true } }
    case .upsert:
      try send(group, of: changes, statements, statements.statement(.upsert)) { row in
        let rowID = changes.rowIDs[row]
        return { $0.count == 1 && $0.integer(0, 0) == rowID }
      }
    case .update:
      let update = statements.update(group.columns) { session.queries.retire($0) }
      for row in group.rows {
        try setFields(toUpdate: row, of: group, changes, statements)
        try session.connection.runLater(update, session.fields) { $0.affectedCount > 0 }
      }
    case .require, .delete: return false
    }
    return true
  }

  private func send(
    _ group: RowChanges, of changes: Changeset, _ statements: TypeStatements,
    _ statement: PostgreSQLStatement, _ expectation: (Int) -> (PostgreSQLResult) -> Bool
  ) throws {
    for row in group.rows {
      session.fields.removeAll()
      try append(row, of: group, changes, statements)
      try session.connection.runLater(statement, session.fields, expectation(row))
    }
  }
}
