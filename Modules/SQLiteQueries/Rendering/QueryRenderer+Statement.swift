import MagicEngine
import MagicSchema
import SQLiteEngine

extension QueryRenderer {
  /// Renders the statement of a query.
  mutating func statement(_ query: PreparedQuery) throws -> String {
    if let combined = query.plan.combined { return try self.combined(combined, query) }
    if let traversal = query.plan.traversal {
      reachedRows = try reached(traversal.tree, query.schema)
    }
    if let search = query.plan.search { foundRows = try found(search.text.tree, query) }
    switch query.result {
    case .update(let columns):
      switch variant?.step {
      case nil: return try update(query, columns)
      case .storing: return try storedValues(query, columns)
      case .applying: return updateWithStoredValues(query, columns)
      }
    case .count where query.plan.hasLimitOrOffset:
      return "SELECT count(*) FROM (\(try select(query, "1")))"
    case .aggregates where query.plan.hasLimitOrOffset: return try aggregatesOfLimitedRows(query)
    case .count: return try select(query, "count(*)")
    case .exists: return try select(query, "1")
    case .tupleCount: return "SELECT count(*) FROM (\(try select(query, nil)))"
    case .delete: return try deletion(query)
    case .rowIDs, .objects, .page, .tuples, .aggregates: return try select(query, nil)
    }
  }

  /// Renders a SELECT statement.
  ///
  /// - Parameters:
  ///   - what: the result columns; nil for those of the query's result.
  ///   - part: the description to render instead of the query's own.
  mutating func select(
    _ query: PreparedQuery, _ what: String?, _ part: QueryDescription? = nil
  ) throws -> String {
    let plan = part ?? query.plan
    let table = try table(query.schema)
    scopes = [
      RowScope(ids: query.plan.rowScopes ?? [], schema: query.schema, table: table, alias: alias())
    ]
    if let reachedRows {
      scopes[0].reached = RowScope.Reached(source: reachedRows, alias: alias())
    }
    if let foundRows {
      let isRow = plan.search?.readsOnlyIndex == true
      scopes[0].found = RowScope.Reached(
        source: foundRows, alias: isRow ? scopes[0].alias : alias())
    }
    if let join = plan.join { try add(join) }
    let selection: [String]
    let isStoring = variant?.step == .storing
    if isStoring, case .update(let columns) = query.result {
      selection = try assigned(plan.selection, to: columns, of: query.schema)
    } else {
      selection = try plan.selection.enumerated().map { index, expression in
        let term = try term(expression)
        if index < plan.groups.count {
          keys.append(term)
          keyTrees.append(expression.tree)
        }
        return term.value.text
      }
    }
    let root = scopes[0].root
    if let top = plan.topGroups {
      return try topGroups(top, plan, selection)
    }
    let columns =
      ["\(root.alias).\"z_index\""] + table.columns.indices.map { table.column($0, of: root) }
    let list =
      switch query.result {
      case .objects: columns
      case .page: columns + selection
      case .update where isStoring: [columns[0]] + selection
      case .rowIDs, .delete, .update: [columns[0]]
      default: selection
      }
    let limitsRowsFirst = plan.limitsRowsFirst || part == nil && query.findsNearestRows
    let tail = try limitsRowsFirst ? tailWithLimitedRows(query) : tail(plan)
    let distinct = plan.isDistinct ? "DISTINCT " : ""
    return "SELECT \(distinct)\(what ?? list.joined(separator: ", ")) "
      + "FROM \(source)\(tail)"
  }

  /// Renders aggregates of the rows that remain after limit and offset.
  private mutating func aggregatesOfLimitedRows(_ query: PreparedQuery) throws -> String {
    var part = query.plan
    part.selection = query.plan.selection.map {
      QueryExpression(tree: $0.tree.aggregated, values: $0.values)
    }
    let rows = try select(query, nil, part)
    // The columns of a subquery are referred to by name.
    let functions = query.plan.selection.enumerated().map { index, expression in
      guard case .aggregate(let function, _) = expression.tree else { return "count(*)" }
      return Self.aggregate(
        function, of: "\"\(index)\"", isReal: isReal(expression.tree.aggregated)
      ).text
    }
    let names = part.selection.indices.map { "\"\($0)\"" }.joined(separator: ", ")
    return "WITH magic_part (\(names)) AS (\(rows)) "
      + "SELECT \(functions.joined(separator: ", ")) FROM magic_part"
  }

  /// Renders the clauses that follow the FROM clause.
  private mutating func tail(_ plan: QueryDescription) throws -> String {
    var tail = try condition(plan)
    tail += try grouping(plan)
    var orders = try terms(plan.groupOrders)
    let groupLimit = plan.groupLimit.map { _ in " LIMIT \(parameter())" } ?? ""
    let start = position
    orders += try rowOrders(plan)
    orderPosition = start
    if !orders.isEmpty { tail += " ORDER BY \(orders.joined(separator: ", "))" }
    tail += groupLimit
    if plan.hasLimitOrOffset {
      tail += " LIMIT \(plan.limit == nil ? "-1" : parameter())"
      if plan.offset != nil { tail += " OFFSET \(parameter())" }
    }
    return tail
  }

  /// Renders the clauses that follow the FROM clause if limit and offset apply before grouping or
  /// DISTINCT, or to the nearest rows. A subquery finds the rows that remain after limit and offset.
  private mutating func tailWithLimitedRows(_ query: PreparedQuery) throws -> String {
    let plan = query.plan
    let grouping = try grouping(plan)
    var orders = try terms(plan.groupOrders)
    let groupLimit = plan.groupLimit.map { _ in " LIMIT \(parameter())" } ?? ""
    let outer = scopes
    var rows = QueryDescription()
    (rows.filter, rows.orders, rows.isRandom) = (plan.filter, plan.orders, plan.isRandom)
    (rows.limit, rows.offset) = (plan.limit, plan.offset)
    let part = try select(query, "\(nextAlias).\"z_index\"", rows)
    scopes = outer
    // The order of the rows is also the order of the result, with the same parameters.
    if !plan.isRandom {
      let end = position
      position = orderPosition
      orders += try terms(plan.orders)
      if query.findsNearestRows { orders += identity(from: 0) }
      position = end
    }
    let order = orders.isEmpty ? "" : " ORDER BY \(orders.joined(separator: ", "))"
    return " WHERE \(scopes[0].alias).\"z_index\" IN (\(part))\(grouping)\(order)\(groupLimit)"
  }

  mutating func grouping(_ plan: QueryDescription) throws -> String {
    guard !plan.groups.isEmpty else { return "" }
    let groups = try plan.groups.enumerated().map { index, key in
      key.isSelected ? "\(index + 1)" : try term(key).value.text
    }
    let having = try plan.having.map { " HAVING \(try term($0).text)" } ?? ""
    return " GROUP BY \(groups.joined(separator: ", "))\(having)"
  }

  private mutating func rowOrders(_ plan: QueryDescription) throws -> [String] {
    var orders = try terms(plan.orders)
    if plan.isRandom { return ["random()"] }
    if !orders.isEmpty, !plan.isDistinct, plan.groups.isEmpty {
      let identity = identity(from: 0)
      orders += orders.last == identity.first ? Array(identity.dropFirst()) : identity
    }
    return orders
  }

  private mutating func terms(_ orders: [QueryDescription.SortTerm]) throws -> [String] {
    try orders.map { order in
      let direction = order.isDescending ? " DESC" : ""
      // The key of a group is referred to by its index in the selection.
      if case .selected(let index) = order.expression.tree { return "\(index + 1)\(direction)" }
      return try term(order.expression).value.text + direction
    }
  }
}

extension PreparedQuery {
  /// Whether the rows are the first ones by a distance, which a subquery finds: in one statement, SQLite
  /// would copy the vector of each row to the rows that it sorts, and compute a selected distance for
  /// each row.
  var findsNearestRows: Bool {
    guard case .function(.distance, _) = plan.orders.first?.expression.tree,
      result == .objects || result == .tuples, plan.limit != nil, !plan.isRandom, !plan.isDistinct,
      plan.groups.isEmpty, plan.groupOrders.isEmpty, plan.groupLimit == nil, plan.topGroups == nil,
      plan.join == nil, plan.traversal == nil,
      plan.search == nil
    else { return false }
    // The windows of the rows include the rows after the limit.
    return !(plan.selection + plan.orders.map(\.expression)).contains { $0.tree.hasWindow }
  }
}
