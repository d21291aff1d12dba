package import MagicEngine
import MagicSQLite
package import MagicSchema
package import SQLiteEngine

extension StoreConnection {
  /// Fetches rows of a type and packs them into chunks.
  ///
  /// - Parameter isWanted: returns whether to pack the row with a row ID; nil to pack all rows.
  package func fetch(
    _ plan: FetchPlan, of schema: ObjectSchema, graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    guard case .query(let query) = plan else {
      return try fetchRows(plan, of: schema, graph, isWanted: isWanted)
    }
    guard try hasTable(of: schema) else { return .none }
    guard let primary = query.primaryValue else {
      return try fetch(query, schema, graph, isWanted)
    }
    defer { parameters.removeAll() }
    parameters.append(primary)
    return try fetchRow(of: schema, graph, isWanted) { try fetch(query, schema, graph, isWanted) }
  }

  private func fetch(
    _ query: PreparedQuery, _ schema: ObjectSchema, _ graph: RowGraph?,
    _ isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    try run(query) { statement in
      guard case .page = query.result else {
        return try pack(
          statement, schema, graph, isWanted, limit: query.plan.limit == 1 ? 1 : .max)
      }
      return try page(statement, query, graph, isWanted)
    }
  }

  /// Packs a page of rows. If the page is full, also returns the values by which its last row is
  /// ordered.
  private func page(
    _ statement: SQLiteStatement, _ query: PreparedQuery, _ graph: RowGraph?,
    _ isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    var last: [QueryValue] = []
    var remaining = query.plan.limit ?? 0
    let start = 1 + query.schema.columns.count
    let columns = start..<start + query.plan.selection.count
    let rows = try pack(statement, query.schema, graph, isWanted) { row in
      remaining -= 1
      if remaining == 0 { last = columns.map { QueryValue(row.column($0)) } }
    }
    return FetchedRows(rows.chunks, count: rows.count, last: last)
  }
}
