import MagicPostgreSQL
import MagicRequests
import MagicSchema

extension QueryRenderer {
  /// Renders the statement of a query.
  mutating func statement(_ query: PreparedQuery) throws -> String {
    if let combined = query.plan.combined { return try self.combined(combined, query) }
    if let traversal = query.plan.traversal {
      reachedRows = try reached(traversal.tree, query.schema)
    }
    if let search = query.plan.search { foundRows = try found(search.text.tree, query) }
    switch query.result {
    case .update(let columns): return try update(query, columns)
    case .count where query.plan.hasLimitOrOffset:
      return "SELECT count(*) FROM (\(try select(query, "1"))) AS \(alias())"
    case .aggregates where query.plan.hasLimitOrOffset: return try aggregatesOfLimitedRows(query)
    case .count: return try select(query, "count(*)")
    case .exists: return try select(query, "1")
    case .tupleCount:
      return "SELECT count(*) FROM (\(try select(query, nil))) AS \(alias())"
    case .rowIDs, .objects, .page, .tuples, .aggregates, .delete: return try select(query, nil)
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
    var scope = RowScope(
      ids: query.plan.rowScopes ?? [], schema: query.schema, table: table, alias: alias())
    if let reachedRows {
      scope.reached = RowScope.Reached(source: reachedRows, alias: alias())
    }
    if let foundRows {
      let isRow = plan.search?.readsOnlyIndex == true
      scope.found = RowScope.Reached(source: foundRows, alias: isRow ? scope.alias : alias())
    }
    scopes = [scope]
    if let join = plan.join { try add(join) }
    var selection: [SQLTerm] = []
    var assignments: [String] = []
    if case .update(let columns) = query.result, part == nil {
      assignments = try assigned(plan.selection, to: columns, of: query.schema)
    } else {
      var texts: [String: SQLTerm] = [:]
      for (index, expression) in plan.selection.enumerated() {
        // A key can be computed from the column of another key.
        if index == plan.groups.count { groupTexts = texts }
        let term = typed(try term(expression))
        if index < plan.groups.count {
          keys.append(term.first)
          groupings.append((term.hasEqualTexts ? term.key : term.value).text)
          if term.hasEqualTexts { texts[term.text] = term.first }
        }
        selection.append(key(equalTo: expression, plan).map { keys[$0] } ?? term)
      }
      groupTexts = texts
    }
    if part == nil || query.result == .aggregates { selected = selection }
    if let top = plan.topGroups { return try topGroups(top, plan, selection) }
    let rowID = "\(scopes[0].alias).\"z_index\""
    let columns = [rowID] + table.columns.map { "\(scope.alias).\($0.name)" }
    let list =
      switch query.result {
      case .objects: columns
      case .page: columns + selection.map(\.text)
      case .update: [rowID] + assignments
      case .rowIDs, .delete: [rowID]
      default: selection.map(\.text)
      }
    let clauses = try plan.limitsRowsFirst ? clausesWithLimitedRows(query) : clauses(plan)
    if plan.isDistinct, what == nil { return distinct(selection, clauses) }
    // An aggregate of all rows has no order.
    let isOrdered = query.result != .count && query.result != .aggregates || plan.hasLimitOrOffset
    return "SELECT \(what ?? list.joined(separator: ", ")) FROM \(clauses.source)"
      + "\(clauses.rows)\(isOrdered ? clauses.orderText : "")\(clauses.limit)"
  }

  /// Renders a statement for distinct values. PostgreSQL permits no other order than one by the
  /// selected values, so an outer statement groups the values, and sorts them by the smallest, or if
  /// descending by the largest, value of their rows.
  private mutating func distinct(_ selection: [SQLTerm], _ clauses: Clauses) -> String {
    let columns = DistinctColumns(selection)
    var inner = columns.definitions
    let needsGroups =
      selection.contains(where: \.hasEqualTexts)
      || clauses.orders.contains { $0.column == nil || $0.term.collation != nil }
    guard clauses.isRandom || needsGroups else {
      return "SELECT DISTINCT \(inner.joined(separator: ", ")) FROM \(clauses.source)"
        + "\(clauses.rows)\(clauses.orderText)\(clauses.limit)"
    }
    var orders: [String] = []
    for (index, order) in clauses.orders.enumerated() {
      inner.append("\(order.term.text) AS \"order\(index)\"")
      let value = order.term.named("\"order\(index)\"")
      orders.append(Self.sorted(extreme(of: value, order), isDescending: order.isDescending))
    }
    if clauses.isRandom { orders = ["random()"] }
    let orderText = orders.isEmpty ? "" : " ORDER BY \(orders.joined(separator: ", "))"
    return "SELECT \(columns.list) FROM (SELECT \(inner.joined(separator: ", ")) "
      + "FROM \(clauses.source)\(clauses.rows)) AS \(alias()) GROUP BY \(columns.keys)"
      + "\(orderText)\(clauses.limit)"
  }

  /// Returns the value by which a group is sorted: the smallest, or if descending the largest, of its
  /// rows.
  private mutating func extreme(of value: SQLTerm, _ order: Clauses.Order) -> SQLTerm {
    var extreme = aggregate(order.isDescending ? .maximum : .minimum, of: value)
    extreme.comparison = value.comparison
    return extreme
  }

  /// Renders aggregates of the rows that remain after limit and offset.
  private mutating func aggregatesOfLimitedRows(_ query: PreparedQuery) throws -> String {
    var part = query.plan
    part.selection = query.plan.selection.map {
      QueryExpression(tree: $0.tree.aggregated, values: $0.values)
    }
    let rows = try select(query, nil, part)
    let names = selected.indices.map { "\"\($0)\"" }
    // The columns of a subquery are referred to by name.
    let functions = zip(query.plan.selection, selected).enumerated().map { index, pair in
      guard case .aggregate(let function, _) = pair.0.tree else { return "count(*)" }
      return aggregate(function, of: pair.1.named(names[index], mayBeNull: true)).text
    }
    return "WITH magic_part (\(names.joined(separator: ", "))) AS (\(rows)) "
      + "SELECT \(functions.joined(separator: ", ")) FROM magic_part"
  }

  // MARK: Clauses

  /// The clauses after the selection of a statement.
  struct Clauses {
    /// The FROM clause.
    let source: String
    /// The conditions and groups.
    let rows: String
    let orders: [Order]
    let isRandom: Bool
    let limit: String

    struct Order {
      let term: SQLTerm
      let isDescending: Bool
      /// The number of the selected value by which the rows are sorted, from 1; nil if it is no
      /// selected value.
      let column: Int?

      var text: String {
        // The number of a selected value cannot have a collation.
        let sorted = term.collation == nil ? column.map { term.named("\($0)") } ?? term : term
        return QueryRenderer.sorted(sorted, isDescending: isDescending)
      }
    }

    var orderText: String {
      if isRandom { return " ORDER BY random()" }
      return orders.isEmpty ? "" : " ORDER BY \(orders.map(\.text).joined(separator: ", "))"
    }
  }

  /// Renders the clauses that follow the selection.
  private mutating func clauses(_ plan: QueryDescription) throws -> Clauses {
    let filter = try filter(plan)
    let having = try having(plan)
    var orders = try groupOrders(plan)
    var limit = try plan.groupLimit.map { _ in " LIMIT \(try parameter(.bigint))" } ?? ""
    orders += try rowOrders(plan)
    if plan.limit != nil { limit += " LIMIT \(try parameter(.bigint))" }
    if plan.offset != nil { limit += " OFFSET \(try parameter(.bigint))" }
    return Clauses(
      source: source, rows: filter + (try grouping(plan)) + having, orders: orders,
      isRandom: plan.isRandom, limit: limit)
  }

  /// Renders the clauses that follow the selection if limit and offset apply before grouping or
  /// DISTINCT. A subquery finds the rows that remain after limit and offset.
  private mutating func clausesWithLimitedRows(_ query: PreparedQuery) throws -> Clauses {
    let plan = query.plan
    let having = try having(plan)
    var orders = try groupOrders(plan)
    let limit = try plan.groupLimit.map { _ in " LIMIT \(try parameter(.bigint))" } ?? ""
    let outer = scopes
    var rows = QueryDescription()
    (rows.filter, rows.orders, rows.isRandom) = (plan.filter, plan.orders, plan.isRandom)
    (rows.limit, rows.offset) = (plan.limit, plan.offset)
    let part = try ofRows { try $0.select(query, "\($0.nextAlias).\"z_index\"", rows) }
    scopes = outer
    // The order of the rows is also the order of the result, with the same parameters.
    if !plan.isRandom {
      let end = position
      position = orderPosition
      orders += try rowOrders(plan)
      position = end
    }
    let filter = " WHERE \(scopes[0].alias).\"z_index\" IN (\(part))"
    return Clauses(
      source: source, rows: filter + (try grouping(plan)) + having, orders: orders,
      isRandom: false, limit: limit)
  }

  private mutating func filter(_ plan: QueryDescription) throws -> String {
    try ofRows { renderer in
      try plan.filter.map { " WHERE \(renderer.condition(try renderer.term($0)).text)" } ?? ""
    }
  }

  private mutating func having(_ plan: QueryDescription) throws -> String {
    try plan.having.map { " HAVING \(condition(try term($0)).text)" } ?? ""
  }

  /// Renders the keys of groups, after all other expressions. A row that a key refers to is a key
  /// too, so that its columns can be selected.
  func grouping(_ plan: QueryDescription) throws -> String {
    guard !plan.groups.isEmpty else { return "" }
    var groups: [String] = []
    for (index, key) in plan.groups.enumerated() {
      // A number would be the index of a selected value.
      let isNumber = key.isSelected && !keys[index].hasEqualTexts
      groups.append(isNumber ? "\(index + 1)" : groupings[index])
    }
    let paths = try plan.groups.compactMap { key -> (scope: Int, steps: [Int])? in
      guard case .column(let path) = key.tree else { return nil }
      let steps =
        path.property == ColumnPath.rowID ? path.toOnes : path.toOnes + [path.property]
      return (try scope(of: path), steps)
    }
    for (index, scope) in scopes.enumerated() {
      for path in scope.joinPaths
      where paths.contains(where: { $0.scope == index && path.starts(with: $0.steps) }) {
        if let join = scope.joins[path] { groups.append("\(join.alias).\"z_index\"") }
      }
    }
    return " GROUP BY \(groups.joined(separator: ", "))"
  }

  mutating func groupOrders(_ plan: QueryDescription) throws -> [Clauses.Order] {
    try plan.groupOrders.map { try order($0, plan) }
  }

  /// Renders the sort order of rows. In groups and distinct values, it is that of their rows.
  mutating func rowOrders(_ plan: QueryDescription) throws -> [Clauses.Order] {
    orderPosition = position
    let keys = GroupKeys(plan.groups)
    var orders: [Clauses.Order] = []
    for term in plan.orders {
      guard !plan.groups.isEmpty, !keys.determine(term.expression) else {
        orders.append(try self.order(term, plan))
        continue
      }
      let order = try ofRows { try $0.order(term, plan) }
      guard order.column == nil else {
        orders.append(order)
        continue
      }
      orders.append(
        Clauses.Order(
          term: extreme(of: order.term, order), isDescending: order.isDescending, column: nil))
    }
    if !orders.isEmpty, !plan.isRandom, !plan.isDistinct, plan.groups.isEmpty {
      var identity = identity(from: 0)
      if orders.last?.term.text == identity.first { identity.removeFirst() }
      orders += identity.map {
        Clauses.Order(term: SQLTerm($0, .bigint), isDescending: false, column: nil)
      }
    }
    return orders
  }

  /// Returns the index of the computed key of groups that has the values of an expression. The key is
  /// used instead, because its parameters are others than those of the expression.
  private func key(equalTo expression: QueryExpression, _ plan: QueryDescription) -> Int? {
    plan.groups.indices.first { index in
      index < keys.count && (plan.groups[index].isSelected || keys[index].hasEqualTexts)
        && plan.groups[index].isEqual(to: expression)
    }
  }

  private mutating func order(
    _ order: QueryDescription.SortTerm, _ plan: QueryDescription
  ) throws -> Clauses.Order {
    var term = typed(try term(order.expression))
    var column: Int?
    if case .selected(let index) = order.expression.tree {
      column = index + 1
    } else if let key = key(equalTo: order.expression, plan) {
      column = key + 1
      term = keys[key]
    } else if plan.isDistinct {
      column = plan.selection.firstIndex { $0.isEqual(to: order.expression) }.map { $0 + 1 }
    }
    return Clauses.Order(term: term, isDescending: order.isDescending, column: column)
  }

  /// Renders a selection of the first groups of each partition. An inner statement numbers the
  /// groups, and has a column for each order.
  ///
  /// - Parameter selection: the selected expressions, which are already rendered.
  private mutating func topGroups(
    _ top: TopGroups, _ plan: QueryDescription, _ selection: [SQLTerm]
  ) throws -> String {
    let filter = try filter(plan)
    let having = try having(plan)
    let number = try window(.rowNumber, nil, top.window).text
    var computed = try groupOrders(plan)
    let count = try parameter(.bigint)
    let limit = try plan.groupLimit.map { _ in " LIMIT \(try parameter(.bigint))" } ?? ""
    computed += try rowOrders(plan)
    let columns = DistinctColumns(selection)
    var inner = columns.definitions
    var orders: [String] = []
    for (index, order) in computed.enumerated() {
      inner.append("\(order.term.text) AS \"order\(index)\"")
      let value = order.term.named("\"order\(index)\"")
      orders.append(
        Self.sorted(
          plan.isDistinct ? extreme(of: value, order) : value, isDescending: order.isDescending))
    }
    inner.append("\(number) AS \"number\"")
    if plan.isRandom { orders = ["random()"] }
    let list = plan.isDistinct ? columns.list : columns.names
    let order = orders.isEmpty ? "" : " ORDER BY \(orders.joined(separator: ", "))"
    return "SELECT \(list) FROM (SELECT \(inner.joined(separator: ", ")) "
      + "FROM \(source)\(filter)\(try grouping(plan))\(having)) AS \(alias()) "
      + "WHERE \"number\" <= \(count)\(plan.isDistinct ? " GROUP BY \(columns.keys)" : "")\(order)\(limit)"
  }
}
