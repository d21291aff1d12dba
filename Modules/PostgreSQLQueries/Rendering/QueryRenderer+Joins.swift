import MagicPostgreSQL
import MagicRequests
import MagicSQLText
import MagicSchema

/// The elements of JSON with which each row of a query is combined.
struct JoinedElements {
  let alias: String
  /// The SQL of the JSON.
  let json: String

  /// The function that returns the elements. Their places distinguish equal elements.
  var source: String {
    "magic_json_elements(\(json)) WITH ORDINALITY AS \(alias) (\"element\", \"place\")"
  }
}

/// Queries whose rows are combined with other rows, and selections that are combined.
extension QueryRenderer {
  /// Adds the source with whose rows the rows of the query are combined.
  mutating func add(_ join: RowJoin) throws {
    switch join.source {
    case .rows(let schema):
      let table = try table(schema)
      scopes.append(
        RowScope(ids: [join.scope], schema: schema, table: table, alias: alias(), isJoined: true))
    case .elements(let json):
      let elements = JoinedElements(alias: alias(), json: bytes(try term(json)).text)
      joinedElements = elements
      elementScopes.append(
        ElementScope(id: join.scope, element: "\(elements.alias).\"element\""))
    }
  }

  /// The FROM clause of the query, when its other clauses are rendered.
  var source: String {
    // A join binds more closely than a comma, and a function may use the rows before it.
    (scopes.map(\.sourceWithJoins) + (joinedElements.map { [$0.source] } ?? []))
      .joined(separator: ", ")
  }

  /// The columns that identify a row of the result.
  ///
  /// - Parameter first: the index of the scope of the query.
  func identity(from first: Int) -> [String] {
    let rows = scopes[first...].map { "\($0.alias).\"z_index\"" }
    return rows + (first == 0 ? joinedElements.map { ["\($0.alias).\"place\""] } ?? [] : [])
  }

  // MARK: Set operations

  /// A selection of a set operation.
  private struct Part {
    let rows: String
    /// The selected values, whose SQL is the names of the columns.
    let columns: [SQLTerm]
  }

  /// Renders selections that set operations combine. Each operation is a subquery, because engines
  /// give them different precedence. The values of a column have one type in all selections.
  mutating func combined(
    _ combined: CombinedSelections, _ query: PreparedQuery
  ) throws -> String {
    let queries = combined.queries
    let parts = try queries.map { try part($0.query) }
    let width = parts.first?.columns.count ?? 0
    guard parts.allSatisfy({ $0.columns.count == width }) else { throw MagicError.malformedQuery }
    let columns = (0..<width).map { column in unified(parts.map { $0.columns[column] }) }
    let names = columns.indices.map { "\"\($0)\"" }
    // The collation of the first selection that has one counts.
    let first = zip(columns, names).map { terms, name in
      var term = SQLTerm(name, terms[0].type, mayBeNull: true)
      term.comparison = terms.compactMap(\.comparison).first
      return term
    }
    var rows = ""
    for (index, part) in parts.enumerated() {
      let list = zip(columns, names).map { "\($0[index].text) AS \($1)" }.joined(separator: ", ")
      let selection = "SELECT \(list) FROM \(part.rows)"
      let operation = queries[index].operation
      switch index {
      case 0: rows = selection
      case _ where first.contains(where: \.hasEqualTexts):
        rows = operation.combining(rows, selection, first, aliases: (alias(), alias()))
      case 1: rows += " \(operation.sql) \(selection)"
      default:
        rows = "SELECT * FROM (\(rows)) AS \(alias()) \(operation.sql) \(selection)"
      }
    }
    selected = first
    if query.plan.groupOrders.contains(where: { isCollated($0) }) {
      // The rows of a set operation are sorted by their columns only, not by keys of them.
      rows = "SELECT * FROM (\(rows)) AS \(alias())"
    }
    let orders = query.plan.groupOrders.compactMap { order -> String? in
      guard case .selected(let index) = order.expression.tree, selected.indices.contains(index)
      else { return nil }
      let column = selected[index]
      return Self.sorted(
        column.collation == nil ? column.named("\(index + 1)") : column,
        isDescending: order.isDescending)
    }
    if !orders.isEmpty { rows += " ORDER BY \(orders.joined(separator: ", "))" }
    if query.plan.groupLimit != nil { rows += " LIMIT \(try parameter(.bigint))" }
    return query.result == .tupleCount
      ? "SELECT count(*) FROM (\(rows)) AS \(alias())" : rows
  }

  private func isCollated(_ order: QueryDescription.SortTerm) -> Bool {
    guard case .selected(let index) = order.expression.tree, selected.indices.contains(index)
    else { return false }
    return selected[index].collation != nil
  }

  private mutating func part(_ query: PreparedQuery) throws -> Part {
    (scopes, keys, elementScopes, joinedElements) = ([], [], [], nil)
    (groupings, groupTexts, reachedRows, foundRows) = ([], [:], nil, nil)
    let rows = try statement(query)
    let names = selected.indices.map { "\"\($0)\"" }
    return Part(
      rows: "(\(rows)) AS \(alias()) (\(names.joined(separator: ", ")))",
      columns: zip(selected, names).map { $0.named($1) })
  }
}
