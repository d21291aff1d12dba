import MagicEngine
import MagicSQLText
import MagicSQLite
import MagicSchema
import SQLiteEngine

/// The elements of JSON with which each row of a query is combined.
struct JoinedElements {
  let alias: String
  /// The SQL of the JSON.
  let json: String
}

extension QueryRenderer {
  /// Adds the source with whose rows the rows of the query are combined.
  mutating func add(_ join: RowJoin) throws {
    switch join.source {
    case .rows(let schema):
      let table = try table(schema)
      scopes.append(
        RowScope(ids: [join.scope], schema: schema, table: table, alias: alias(), isJoined: true))
    case .elements(let json):
      let elements = JoinedElements(alias: alias(), json: try term(json).value.text)
      joinedElements = elements
      elementScopes.append(ElementScope(id: join.scope, alias: elements.alias))
    }
  }

  /// The FROM clause of the query, when its other clauses are rendered.
  var source: String {
    let first = Self.source(scopes[0]) + scopes[0].joinText
    let rows = scopes.dropFirst().reduce(first) {
      "\($0), \(Self.source($1))\($1.joinText)"
    }
    guard let joinedElements else { return rows }
    return "\(rows), \(SQLiteConnection.jsonElements)(\(joinedElements.json)) "
      + "AS \(joinedElements.alias)"
  }

  /// Renders the WHERE clause of the query.
  mutating func condition(_ plan: QueryDescription) throws -> String {
    try (plan.filter?.tree).map { " WHERE \(try condition($0).text)" } ?? ""
  }

  /// The columns that identify a row of the result.
  ///
  /// - Parameter first: the index of the scope of the query.
  func identity(from first: Int) -> [String] {
    let rows = scopes[first...].map { "\($0.alias).\"z_index\"" }
    return rows + (first == 0 ? joinedElements.map { ["\($0.alias).rowid"] } ?? [] : [])
  }

  /// Renders selections that set operations combine. Each operation is a subquery, because engines
  /// give them different precedence.
  mutating func combined(
    _ combined: CombinedSelections, _ query: PreparedQuery
  ) throws -> String {
    var rows = ""
    for (index, other) in combined.queries.enumerated() {
      let part = "SELECT * FROM (\(try part(other.query)))"
      switch index {
      case 0: rows = part
      case 1: rows += " \(other.operation.sql) \(part)"
      default: rows = "SELECT * FROM (\(rows)) \(other.operation.sql) \(part)"
      }
    }
    let orders = query.plan.groupOrders.compactMap { order -> String? in
      guard case .selected(let index) = order.expression.tree else { return nil }
      return "\(index + 1)\(order.isDescending ? " DESC" : "")"
    }
    if !orders.isEmpty { rows += " ORDER BY \(orders.joined(separator: ", "))" }
    if query.plan.groupLimit != nil { rows += " LIMIT \(parameter())" }
    return query.result == .tupleCount ? "SELECT count(*) FROM (\(rows))" : rows
  }

  private mutating func part(_ query: PreparedQuery) throws -> String {
    (scopes, keys, keyTrees, elementScopes) = ([], [], [], [])
    (joinedElements, reachedRows, foundRows) = (nil, nil, nil)
    return try statement(query)
  }
}
