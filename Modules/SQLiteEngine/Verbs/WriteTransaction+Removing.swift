import MagicSchema
import MagicSQLite

extension WriteTransaction {
  /// Deletes an object's row; the object is unsaved once the transaction commits.
  ///
  /// - Throws: `MagicError` with `.notSaved` where the object is no row of this
  ///   database, `.constraint` where a trigger keeps the row.
  func remove(_ object: ObjectReference, _ statements: TypeStatements) throws {
    guard let identity = object.identity(inTransactionOf: store.token),
      identity.store == store.token,
      log.removes(object.record) == false
    else {
      throw MagicError(
        .notSaved, "The object is not in this database.", type: object.schema.typeName)
    }
    let zIndex = identity.zIndex.rawValue
    let cascade = try cascade()
    if cascade.concerns(object.schema.tableName) {
      try cascade.remove([zIndex], from: object.schema.tableName)
      store.counting.removeAll()
    } else {
      let delete = try statements.delete
      try delete.bind(zIndex, at: 1)
      _ = try delete.step()
      delete.reset()
      // A row that another connection deleted is removed all the same.
      guard try store.connection.changes > 0 || !hasRow(zIndex, statements) else {
        throw MagicError.keptRow(of: object.schema.typeName)
      }
      store.counting.remove(object.schema)
    }
    removed.append((object.schema.tableName, zIndex))
    log.remove(object.record)
  }

  /// Deletes all rows of a type.
  ///
  /// - Returns: how many there were.
  /// - Throws: `MagicError` with `.constraint` where a trigger keeps a row.
  func removeAll(_ statements: TypeStatements) throws -> Int {
    let table = statements.schema.tableName
    let cascade = try cascade()
    if cascade.concerns(table) {
      let rows = try cascade.rows(of: table)
      try cascade.remove(rows, from: table)
      store.counting.removeAll()
      return rows.count
    }
    try statements.deleteAll.run()
    let count = store.connection.changes
    guard try !hasRows(statements) else {
      throw MagicError.keptRow(of: statements.schema.typeName)
    }
    store.counting.remove(statements.schema)
    return count
  }

  /// Whether a row is in the file.
  func hasRow(_ zIndex: Int64, _ statements: TypeStatements) throws -> Bool {
    let hasRow = try statements.hasRow
    defer { hasRow.reset() }
    try hasRow.bind(zIndex, at: 1)
    return try hasRow.step()
  }

  private func hasRows(_ statements: TypeStatements) throws -> Bool {
    let hasRows = try statements.hasRows
    defer { hasRows.reset() }
    return try hasRows.step()
  }
}

extension MagicError {
  /// A trigger ignored what was to be done with a row.
  static func keptRow(of type: String) -> MagicError {
    MagicError(
      .constraint,
      "A trigger of the table kept a row that was to be removed. Nothing was removed.", type: type)
  }
}
