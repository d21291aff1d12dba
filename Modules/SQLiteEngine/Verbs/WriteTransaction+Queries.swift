import MagicSQLite
package import MagicSchema
import SQLiteTables

extension WriteTransaction {
  /// Deletes the rows that a query finds, with all rows that the deletion cascades to.
  ///
  /// - Parameters:
  ///   - list: returns the row IDs.
  ///   - delete: deletes the rows without cascades.
  /// - Returns: the number of rows that the query found.
  package func removeRows(
    _ schema: ObjectSchema, list: (StoreConnection) throws -> [Int64],
    delete: (StoreConnection) throws -> Int
  ) throws -> Int {
    try querying(schema) { store in
      let cascade = try cascade()
      store.rowIDs.forgetEnds()
      if cascade.affects(schema.tableName) {
        let rows = try list(store)
        try namingOwners { try cascade.remove(rows, from: schema.tableName) }
        return rows.count
      }
      store.noteUnreportedChanges()
      return try namingOwners { try delete(store) }
    }
  }

  /// Runs a statement that changes rows of a type.
  package func changeRows(
    _ schema: ObjectSchema, _ change: (StoreConnection) throws -> Int
  ) throws -> Int {
    try querying(schema) { store in
      // Stores the auto-increment values that were used so far, then reads them from the table
      // again.
      let table = store.rowIDs.table(of: schema)
      if let counted = primaries.removeValue(forKey: table) {
        try Catalogue(connection: store.connection).setHighestPrimary(counted.last, of: schema)
      }
      if schema.hasRowIDPrimary { store.noteUnreportedChanges() }
      return try change(store)
    }
  }

  /// - Returns: 0 for a type without a table.
  private func querying(
    _ schema: ObjectSchema, _ body: (StoreConnection) throws -> Int
  ) throws -> Int {
    try translatingErrors(schema) {
      try reading { store in
        try store.statements(of: schema) == nil ? 0 : try body(store)
      }
    }
  }
}
