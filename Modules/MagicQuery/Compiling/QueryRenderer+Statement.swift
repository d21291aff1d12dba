import MagicSchema
import MagicStore

extension QueryRenderer {
  /// The whole statement of a call.
  mutating func statement(_ call: PreparedQuery) throws -> String {
    switch call.kind {
    case .update(let columns): return try update(call, columns)
    case .newValues(let columns): return try newValues(call, columns)
    case .updateWithNewValues(let columns): return updateWithNewValues(call, columns)
    case .count where call.plan.isCut:
      return "SELECT count(*) FROM (\(try select(call, "1")))"
    case .aggregates where call.plan.isCut: return try aggregatesOfPart(call)
    case .count: return try select(call, "count(*)")
    case .exists: return try select(call, "1")
    case .tupleCount: return "SELECT count(*) FROM (\(try select(call, nil)))"
    case .delete: return try deletion(call)
    case .rows, .objects, .page, .tuples, .aggregates: return try select(call, nil)
    }
  }

  /// - Parameter what: what is selected, where it is not the call's kind that says it.
  mutating func select(
    _ call: PreparedQuery, _ what: String?, _ part: QueryPlan? = nil
  ) throws -> String {
    let plan = part ?? call.plan
    let table = try table(call.schema)
    scopes = [RowScope(id: Scope.root, schema: call.schema, table: table, alias: alias())]
    let selection: [String]
    if case .newValues(let columns) = call.kind {
      selection = try assigned(plan.selection, to: columns, of: call.schema)
    } else {
      selection = try plan.selection.map { try term($0).value.text }
    }
    let root = scopes[0].root
    let columns =
      ["\(root.alias).\"z_index\""] + table.columns.indices.map { table.column($0, of: root) }
    let list =
      switch call.kind {
      case .objects: columns
      case .page: columns + selection
      case .newValues: [columns[0]] + selection
      case .rows, .delete, .update, .updateWithNewValues: [columns[0]]
      default: selection
      }
    let tail = try plan.cutsRowsFirst ? tailOfPart(call) : tail(plan)
    let distinct = plan.isDistinct ? "DISTINCT " : ""
    return "SELECT \(distinct)\(what ?? list.joined(separator: ", ")) "
      + "FROM \(table.source) AS \(root.alias)\(scopes[0].joinText)\(tail)"
  }

  /// Aggregates of the rows that limit and offset leave.
  private mutating func aggregatesOfPart(_ call: PreparedQuery) throws -> String {
    var part = call.plan
    part.selection = call.plan.selection.map(\.aggregated)
    let rows = try select(call, nil, part)
    // The columns of a sub-select are told apart by their names.
    let functions = try call.plan.selection.enumerated().map { index, code in
      try Self.aggregate(code.operation, of: "\"\(index)\"").text
    }
    let names = part.selection.indices.map { "\"\($0)\"" }.joined(separator: ", ")
    return "WITH magic_part (\(names)) AS (\(rows)) "
      + "SELECT \(functions.joined(separator: ", ")) FROM magic_part"
  }

  /// What follows the FROM clause.
  private mutating func tail(_ plan: QueryPlan) throws -> String {
    var tail = try plan.filter.map { " WHERE \(try term($0).text)" } ?? ""
    tail += try grouping(plan)
    var orders = try terms(plan.groupOrders)
    let groupLimit = plan.groupLimit.map { _ in " LIMIT \(parameter())" } ?? ""
    orders += try rowOrders(plan)
    if !orders.isEmpty { tail += " ORDER BY \(orders.joined(separator: ", "))" }
    tail += groupLimit
    if plan.isCut {
      tail += " LIMIT \(plan.limit == nil ? "-1" : parameter())"
      if plan.offset != nil { tail += " OFFSET \(parameter())" }
    }
    return tail
  }

  /// What follows the FROM clause where groups or distinct rows are of the rows that limit and
  /// offset leave: those are found by a select of their own.
  private mutating func tailOfPart(_ call: PreparedQuery) throws -> String {
    let plan = call.plan
    let grouping = try grouping(plan)
    var orders = try terms(plan.groupOrders)
    let groupLimit = plan.groupLimit.map { _ in " LIMIT \(parameter())" } ?? ""
    let outer = scopes
    var rows = QueryPlan()
    (rows.filter, rows.orders, rows.isRandom) = (plan.filter, plan.orders, plan.isRandom)
    (rows.limit, rows.offset) = (plan.limit, plan.offset)
    let part = try select(call, "\(nextAlias).\"z_index\"", rows)
    scopes = outer
    // The order of the rows is that of what is made of them, too, where it takes no values.
    if !plan.isRandom, plan.orders.allSatisfy(\.code.values.isEmpty) {
      orders += try terms(plan.orders)
    }
    let order = orders.isEmpty ? "" : " ORDER BY \(orders.joined(separator: ", "))"
    return " WHERE \(scopes[0].alias).\"z_index\" IN (\(part))\(grouping)\(order)\(groupLimit)"
  }

  private mutating func grouping(_ plan: QueryPlan) throws -> String {
    guard !plan.groups.isEmpty else { return "" }
    let groups = try plan.groups.map { try term($0).value.text }
    let having = try plan.having.map { " HAVING \(try term($0).text)" } ?? ""
    return " GROUP BY \(groups.joined(separator: ", "))\(having)"
  }

  private mutating func rowOrders(_ plan: QueryPlan) throws -> [String] {
    var orders = try terms(plan.orders)
    if plan.isRandom { return ["random()"] }
    if !orders.isEmpty, !plan.isDistinct, plan.groups.isEmpty {
      let zIndex = "\(scopes[0].alias).\"z_index\""
      if orders.last != zIndex { orders.append(zIndex) }
    }
    return orders
  }

  private mutating func terms(_ orders: [QueryPlan.Order]) throws -> [String] {
    try orders.map { try term($0.code).value.text + ($0.isDescending ? " DESC" : "") }
  }
}

extension QueryPlan {
  /// Whether it asks for a part of the rows that fit.
  var isCut: Bool { limit != nil || offset != nil }

  /// Whether limit and offset come before what is made of the rows.
  var cutsRowsFirst: Bool { isCut && (isDistinct || !groups.isEmpty) }
}
