package import MagicSchema
import MagicSQLite
import SQLiteTables

extension WriteTransaction {
  /// Deletes a row, with all rows that the deletion cascades to.
  ///
  /// - Throws: `MagicError` with `.constraint` if a trigger prevents the deletion of the row.
  func remove(_ rowID: Int64, _ statements: TypeStatements) throws {
    let table = statements.schema.tableName
    let cascade = try cascade()
    store.rowIDs.forgetEnds()
    if cascade.affects(table) {
      try namingOwners { try cascade.remove([rowID], from: table) }
    } else {
      let delete = try statements.delete
      try delete.bind(rowID, at: 1)
      defer { delete.reset() }
      try namingOwners { _ = try delete.step() }
      // Deleting a row that another connection has already deleted is not an error.
      guard try store.connection.changes > 0 || !hasRow(rowID, statements) else {
        throw MagicError.rowKeptByTrigger(of: statements.schema.typeName)
      }
    }
    removed.append((table, rowID))
  }

  /// Deletes all objects of a type.
  ///
  /// - Returns: the number of deleted objects.
  package func removeAll(_ schema: ObjectSchema) throws -> Int {
    switch try store.table(of: schema) {
    case .current(let statements): return try removeAll(statements)
    case .missing: return 0
    case .outdated: return try removeAll(statements(of: schema))
    }
  }

  /// Deletes all rows of a type.
  ///
  /// - Returns: the number of deleted rows.
  /// - Throws: `MagicError` with `.constraint` if a trigger prevents the deletion of a row.
  private func removeAll(_ statements: TypeStatements) throws -> Int {
    let table = statements.schema.tableName
    let cascade = try cascade()
    store.rowIDs.forgetEnds()
    if cascade.affects(table) {
      let rows = try cascade.rows(of: table)
      try namingOwners { try cascade.remove(rows, from: table) }
      return rows.count
    }
    store.noteUnreportedChanges()
    try namingOwners { try statements.deleteAll.run() }
    let count = store.connection.changes
    guard try Catalogue(connection: store.connection).isEmpty(table) else {
      throw MagicError.rowKeptByTrigger(of: statements.schema.typeName)
    }
    return count
  }

  /// Runs deletions. The error of an owned list that does not permit them names the list.
  func namingOwners<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      let catalogue = Catalogue(connection: store.connection)
      guard
        let list = try catalogue.relationships().compactMap(\.ownedColumns)
          .first(where: { $0.refused(in: error) })
      else { throw error }
      throw MagicError.stillOwned(
        by: list, type: try catalogue.entry(for: list.ownerTable)?.typeName ?? list.ownerTable,
        property: store.owners.owner(of: list.ownerTable)?.property(storedAs: list.property)
          ?? list.property, cause: error)
    }
  }

  /// Whether the file has a row.
  func hasRow(_ zIndex: Int64, _ statements: TypeStatements) throws -> Bool {
    let hasRow = try statements.hasRow
    defer { hasRow.reset() }
    try hasRow.bind(zIndex, at: 1)
    return try hasRow.step()
  }
}

extension MagicError {
  /// The error of a trigger that prevented the deletion of a row.
  static func rowKeptByTrigger(of type: String) -> MagicError {
    MagicError(
      .constraint,
      "A trigger of the table prevented the removal of a row. Nothing was removed.", type: type)
  }
}
