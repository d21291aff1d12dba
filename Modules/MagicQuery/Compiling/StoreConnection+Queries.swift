import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// Runs a query's statement: compiled, with its values, and with its lists where they are
  /// looked for. What belongs together runs on one snapshot.
  func run<Result>(
    _ call: PreparedQuery, isOneStatement: Bool = true, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    guard call.hasLists else {
      return try isOneStatement
        ? runOnce(call, body) : connection.snapshot { try runOnce(call, body) }
    }
    return try connection.snapshot {
      try fill(call.values)
      let result = try runOnce(call, body)
      try empty(call.values)
      return result
    }
  }

  private func runOnce<Result>(
    _ call: PreparedQuery, _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    let statement = try statement(for: call.shape) {
      try QueryRenderer.render(call, self.queryTable)
    }
    defer {
      statement.reset()
      diagnose(statement, types: [call.schema])
    }
    try bind(call.values, to: statement)
    guard statement.isReadOnly else { return try body(statement) }
    do {
      return try connection.heedingCancellation { try body(statement) }
    } catch let error as SQLiteError where error.code == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// The objects that a query finds.
  func objects<Model: MagicObject>(of type: Model.Type, _ call: PreparedQuery) throws -> [Model] {
    guard try hasTable(of: call.schema) else { return [] }
    return try run(call, isOneStatement: !call.schema.reach.fetched.hasRelationships) {
      try objects(of: type, call.schema, $0, isSingle: call.plan.limit == 1)
    }
  }

  /// The integer that a query comes to; 0 where there is no row.
  func integer(_ call: PreparedQuery) throws -> Int {
    guard try hasTable(of: call.schema) else { return 0 }
    return try run(call) { try $0.step() ? Int($0.column(0).integer) : 0 }
  }

  /// Whether a query has a row.
  func hasRow(_ call: PreparedQuery) throws -> Bool {
    guard try hasTable(of: call.schema) else { return false }
    return try run(call) { try $0.step() }
  }
}

/// What an update runs.
struct UpdateCalls: Sendable {
  /// Computes the new values, where that is done before; nil where it is done with the change.
  let compute: PreparedQuery?
  let change: PreparedQuery
}

extension WriteTransaction {
  func delete(_ calls: (list: PreparedQuery, delete: PreparedQuery)) throws -> Int {
    try removeRows(
      calls.delete.schema,
      list: { store in
        try store.run(calls.list) { rows in
          var found: [Int64] = []
          try store.each(rows) { found.append($0.column(0).integer) }
          return found
        }
      },
      delete: { try $0.change(calls.delete) })
  }

  func update(_ calls: UpdateCalls) throws -> Int {
    try changeRows(calls.change.schema) { store in
      guard let compute = calls.compute else { return try store.change(calls.change) }
      let count = compute.plan.selection.count
      let values = NewValues.table(count)
      try store.connection.execute(
        "CREATE TEMP TABLE IF NOT EXISTS \(values) (\(NewValues.columns(count)))")
      let clear = "DELETE FROM temp.\(values)"
      try store.connection.cachedStatement(clear).run()
      _ = try store.change(compute)
      let changed = try store.change(calls.change)
      try store.connection.cachedStatement(clear).run()
      return changed
    }
  }
}

extension StoreConnection {
  /// - Returns: how many rows were changed.
  fileprivate func change(_ call: PreparedQuery) throws -> Int {
    try run(call) {
      try $0.run()
      return connection.changes
    }
  }
}
