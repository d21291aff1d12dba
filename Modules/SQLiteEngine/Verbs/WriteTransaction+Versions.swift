import MagicEngine
import MagicSchema
import MagicSQLite

extension WriteTransaction {
  /// Checks that the row of an update or deletion has the version of its object. A row that does not
  /// exist is permitted.
  ///
  /// - Throws: `MagicError` with `.conflict`.
  func requireVersion(
    of row: Int, _ group: RowChanges, _ changes: Changeset, _ statements: TypeStatements
  ) throws {
    let (schema, rowID) = (group.schema, changes.rowIDs[row])
    guard let expected = group.expectedVersion(ofRow: row, in: changes.values),
      let stored = try version(ofRow: rowID, statements), stored != expected
    else { return }
    throw MagicError.conflict(schema, rowID: rowID, version: expected, stored: stored)
  }

  /// Records that an upsert has updated an existing row.
  func note(
    updated rowID: Int64, _ row: Int, of changes: Changeset, _ table: Int,
    _ statements: TypeStatements
  ) throws {
    let reserved = changes.rowIDs[row]
    if rowID != reserved {
      store.rowIDs.release(reserved, ofTable: table)
      changes.add(.otherRow(row: row, rowID: rowID))
    }
    guard statements.schema.version != nil,
      let version = try version(ofRow: rowID, statements)
    else { return }
    changes.add(.updated(row: row, version: Int(clamping: version)))
  }

  private func version(ofRow rowID: Int64, _ statements: TypeStatements) throws -> Int64? {
    let version = try statements.version
    defer { version.reset() }
    try version.bind(rowID, at: 1)
    return try version.step() ? version.column(0).integer : nil
  }
}
