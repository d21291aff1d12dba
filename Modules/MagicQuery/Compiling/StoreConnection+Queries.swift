import MagicEngine
import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// Runs a query's statement: compiled, with its values, and with its lists where they are
  /// looked for. What belongs together runs on one snapshot.
  func run<Result>(
    _ query: PreparedQuery, isOneStatement: Bool = true, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    guard query.hasLists else {
      return try isOneStatement
        ? runOnce(query, body) : connection.snapshot { try runOnce(query, body) }
    }
    return try connection.snapshot {
      try fill(query.values)
      let result = try runOnce(query, body)
      try empty(query.values)
      return result
    }
  }

  private func runOnce<Result>(
    _ query: PreparedQuery, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(for: query.shape) {
      try QueryRenderer.render(query, self.queryTable)
    }
    defer {
      statement.reset()
      diagnose(statement, types: [query.schema])
    }
    try bind(query.values, to: statement)
    guard statement.isReadOnly else { return try body(statement) }
    do {
      return try connection.heedingCancellation { try body(statement) }
    } catch let error as SQLiteError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// The objects that a query finds.
  func objects<Model: MagicObject>(of type: Model.Type, _ query: PreparedQuery) throws -> [Model] {
    guard try hasTable(of: query.schema) else { return [] }
    return try run(query, isOneStatement: !query.schema.reach.fetched.hasRelationships) {
      try objects(of: type, query.schema, $0, isSingle: query.plan.limit == 1)
    }
  }

  /// The integer that a query comes to; 0 where there is no row.
  func integer(_ query: PreparedQuery) throws -> Int {
    guard try hasTable(of: query.schema) else { return 0 }
    return try run(query) { try $0.step() ? Int($0.column(0).integer) : 0 }
  }

  /// Whether a query has a row.
  func hasRow(_ query: PreparedQuery) throws -> Bool {
    guard try hasTable(of: query.schema) else { return false }
    return try run(query) { try $0.step() }
  }
}

extension WriteTransaction {
  func delete(_ query: PreparedQuery) throws -> Int {
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

  /// Sets columns of the rows. Where values are computed of other rows, they are stored before the
  /// first row changes: an UPDATE of SQLite's sees the rows that it has changed.
  func update(_ query: PreparedQuery) throws -> Int {
    guard case .update(let columns) = query.result else { throw MagicError.malformedQuery }
    guard query.plan.selection.contains(where: \.tree.reachesOtherRows) else {
      return try changeRows(query.schema) { try $0.change(query) }
    }
    let store = try query.with(.storedValues(columns))
    let change = try PreparedQuery(query.schema, QueryPlan(), .updateWithStoredValues(columns))
    return try changeRows(query.schema) { connection in
      let values = StoredValues.table(columns.count)
      try connection.connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(values) (\(StoredValues.columns(columns.count)))")
      let clear = "DELETE FROM temp.\(values)"
      try connection.connection.cachedStatement(clear).run()
      _ = try connection.change(store)
      let changed = try connection.change(change)
      try connection.connection.cachedStatement(clear).run()
      return changed
    }
  }
}

extension StoreConnection {
  /// - Returns: how many rows were changed.
  fileprivate func change(_ query: PreparedQuery) throws -> Int {
    try run(query) {
      try $0.run()
      return connection.changes
    }
  }
}
