package import MagicEngine
package import MagicSchema

/// Runs queries, and returns the regions that they read.
extension MemoryReader {
  /// The row IDs that a query finds, in its order.
  func rowIDs(of query: PreparedQuery) throws -> [Int64] {
    guard try table(of: query.schema) != nil else { return [] }
    return try compile(query.with(.rowIDs)).rows().map(\.rowID)
  }

  package func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws {
    guard try query.plan.combined != nil || tables.table(of: query.schema) != nil else {
      _ = try table(of: query.schema)
      return
    }
    let rows = try rows(of: query)
    digest?.add(rows.count)
    let values = FieldBuffer()
    var next = rows.startIndex
    while next < rows.endIndex {
      let batch = rows[next...].prefix(128)
      values.removeAll()
      for row in batch {
        let first = values.append(row.count)
        for (column, value) in row.enumerated() {
          value.add(to: digest)
          values.set(value.field(in: values), at: first + column)
        }
      }
      try use(FieldRows(values, width: rows[next].count, count: batch.count))
      next = batch.endIndex
    }
  }

  private func rows(of query: PreparedQuery) throws -> [[StoredValue]] {
    guard let combined = query.plan.combined else {
      return try rows(of: compile(query), query.result)
    }
    let rows = try self.rows(of: combined, query.plan)
    return query.result == .tupleCount ? [[.integer(Int64(rows.count))]] : rows
  }

  /// The rows of selections that set operations combine. Each row occurs once.
  private func rows(
    of combined: CombinedSelections, _ plan: QueryDescription
  ) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    for (index, (operation, query)) in combined.queries.enumerated() {
      let others = try self.rows(of: query)
      guard index > 0 else {
        rows = others
        continue
      }
      let known = Set(others)
      switch operation {
      case .union: rows += others
      case .intersect: rows = rows.filter(known.contains)
      case .except: rows = rows.filter { !known.contains($0) }
      }
    }
    var seen: Set<[StoredValue]> = []
    rows = rows.filter { seen.insert($0).inserted }
    rows.sort { left, right in
      for order in plan.groupOrders {
        guard case .selected(let index) = order.expression.tree else { continue }
        let comparison = StoredValue.order(left[index], right[index])
        if comparison != 0 { return (comparison < 0) != order.isDescending }
      }
      return false
    }
    return plan.groupLimit.map { Array(rows.prefix($0)) } ?? rows
  }

  private func rows(of query: CompiledQuery, _ result: QueryResult) throws -> [[StoredValue]] {
    switch result {
    case .count: [[.integer(Int64(try query.count()))]]
    case .exists: try query.count() == 0 ? [] : [[.integer(1)]]
    case .tuples: try query.selectedRows()
    case .tupleCount: [[.integer(Int64(try query.selectedRows().count))]]
    case .aggregates: [try query.aggregates()]
    default: try query.rows().map { [.integer($0.rowID)] }
    }
  }

  /// Returns an empty plan: a query of a database in memory visits all rows.
  package func plan(of query: PreparedQuery) throws -> StatementPlan {
    StatementPlan(sql: "", steps: [], suggestions: [])
  }

  package var schemaVersion: Int64 { tables.version }

  package func region(of query: PreparedQuery) throws -> ReadRegion {
    if let combined = query.plan.combined {
      var region = ReadRegion()
      for (_, query) in combined.queries { region.formUnion(try self.region(of: query)) }
      return region
    }
    // The row IDs of objects do not affect the region.
    return try CompiledQuery(query, tables) { _ in 0 }.region
  }

  package func region(
    ofObjectsOf query: PreparedQuery, excluding excluded: Set<Int>
  ) throws -> ReadRegion {
    let deciding = try region(of: query)
    var region = deciding
    region.insert(table: query.schema.tableName)
    region.insertLinks(of: query.schema, isLoaded: true, excluding: excluded)
    let loaded = try query.schema.loadedTypes(excluding: excluded)
    for schema in loaded { region.insert(schema, isLoaded: true) }
    if !loaded.contains(where: { $0 === query.schema }) {
      region.setRoot(query.schema.tableName, decidedBy: deciding)
    }
    return region
  }
}

/// Raw statements, which this engine does not support.
extension MemoryReader {
  package func check(_ statement: RawStatement) throws { throw MagicError.noDialect }

  package func read(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws { throw MagicError.noDialect }

  package func plan(of statement: RawStatement) throws -> StatementPlan {
    throw MagicError.noDialect
  }

  package func region(of statement: RawStatement, _ model: ObjectSchema?) throws -> ReadRegion {
    throw MagicError.noDialect
  }
}

extension MagicError {
  static var noDialect: MagicError {
    MagicError(.invalidQuery, "This engine has no dialect for raw statements.")
  }
}
