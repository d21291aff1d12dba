package import MagicEngine
import MagicSQLite
import MagicSchema
package import SQLiteEngine

extension WriteTransaction {
  /// Deletes the rows that a query finds, and the rows to which delete rules cascade.
  ///
  /// - Returns: the number of rows of the query that were deleted.
  package func delete(_ query: PreparedQuery) throws -> Int {
    let rows = try query.with(.rowIDs)
    return try removeRows(
      query.schema,
      list: { store in
        try store.run(rows) { rows in
          var found: [Int64] = []
          try store.each(rows) { found.append($0.column(0).integer) }
          return found
        }
      },
      delete: { try $0.change(query) })
  }

  /// Sets columns of the rows that a query finds. If values are computed from other rows, they are
  /// stored in a temporary table before the first row is updated, because SQLite's UPDATE sees the
  /// rows that it has already updated.
  package func update(_ query: PreparedQuery) throws -> Int {
    guard case .update(let columns) = query.result else { throw MagicError.malformedQuery }
    guard query.plan.selection.contains(where: \.tree.reachesOtherRows) else {
      return try changeRows(query.schema) { try $0.change(query) }
    }
    let stored = try PreparedQuery(query.schema, QueryDescription(), query.result)
    return try changeRows(query.schema) { connection in
      let values = StoredValues.table(columns.count)
      try connection.connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(values) (\(StoredValues.columns(columns.count)))")
      let clear = "DELETE FROM temp.\(values)"
      try connection.connection.cachedStatement(clear).run()
      _ = try connection.change(query, .storing)
      let changed = try connection.change(stored, .applying)
      try connection.connection.cachedStatement(clear).run()
      return changed
    }
  }
}

extension StoreConnection {
  /// - Returns: the number of rows that were changed.
  fileprivate func change(_ query: PreparedQuery, _ step: UpdateStep? = nil) throws -> Int {
    try run(query, step: step) {
      try $0.run()
      return connection.changes
    }
  }
}
