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
    guard try tables.table(of: query.schema) != nil else {
      _ = try table(of: query.schema)
      return
    }
    let rows = try rows(of: compile(query), query.result)
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

  private func rows(of query: CompiledQuery, _ result: QueryResult) throws -> [[StoredValue]] {
    switch result {
    case .count: [[.integer(Int64(try query.rows().count))]]
    case .exists: try query.rows().isEmpty ? [] : [[.integer(1)]]
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
    // The row IDs of objects do not affect the region.
    try CompiledQuery(query, tables) { _ in 0 }.region
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
