import MagicSchema
import MagicSQLite

extension WriteTransaction {
  /// Deletes an object's row; the object is unsaved once the transaction commits.
  ///
  /// - Throws: `MagicError` with `.notSaved` where the object is no row of this
  ///   database.
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
      store.counting.remove(object.schema)
    }
    removed.append((object.schema.tableName, zIndex))
    // A row that somebody else deleted is removed all the same.
    log.remove(object.record)
  }

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
    store.counting.remove(statements.schema)
    return store.connection.changes
  }
}
