package import MagicSchema

/// A query that is ready to run: its type, description, kind of result, shape and values.
///
/// A class, because requests, their closures and the engine copy it often, and a reference is copied
/// in less time than the values.
package final class PreparedQuery: Sendable {
  package let schema: ObjectSchema
  package let plan: QueryDescription
  package let result: QueryResult
  package let shape: QueryShape
  /// The values in the order of the statement's clauses: combined selections, traversal, search, JSON of
  /// elements, selection, filter, conditions on
  /// groups, numbering of groups, sort order of groups, number of groups, limit of groups, sort order
  /// of rows, limit and offset. If limit and
  /// offset apply to rows before they are grouped, the values of the filter follow the limit of
  /// groups. The keys of groups are in the selection.
  package let values: [QueryValue]

  /// - Throws: `MagicError` if the query is invalid.
  package convenience init<Model: MagicObject>(
    _ type: Model.Type, _ plan: QueryDescription, _ result: QueryResult
  ) throws {
    try self.init(try ObjectSchema.of(type), plan, result)
  }

  package init(_ schema: ObjectSchema, _ plan: QueryDescription, _ result: QueryResult) throws {
    _ = try schema.reach
    if let error = plan.error { throw error }
    if let filter = plan.filter, filter.tree.isAggregate {
      throw MagicError(
        .invalidQuery, "A row condition contains an aggregate. Use having(_:) for aggregates.",
        type: schema.typeName)
    }
    if plan.topGroups != nil, plan.hasLimitOrOffset {
      throw MagicError(
        .invalidQuery,
        "The rows of groups with top(_:over:) have a limit. Limit the groups, or remove it.",
        type: schema.typeName)
    }
    if plan.join != nil, plan.limitsRowsFirst {
      throw MagicError(
        .invalidQuery,
        "Combined rows have a limit before they are grouped or made distinct. Limit the result.",
        type: schema.typeName)
    }
    self.schema = schema
    let plan = plan.search == nil ? plan : plan.rankedBySearch(of: schema, result)
    self.plan = plan
    self.result = result
    values = try plan.values()
    shape = QueryShape(schema, result, plan)
    if shape.hasWindow { try plan.checkWindows(of: result, in: schema) }
  }

  /// Returns a query for the same rows with another kind of result.
  package func with(_ result: QueryResult) throws -> PreparedQuery {
    try PreparedQuery(schema, plan, result)
  }
}

extension QueryDescription {
  /// Returns the values of all expressions and limits.
  ///
  /// - Throws: the error of an invalid expression.
  fileprivate func values() throws -> [QueryValue] {
    var values = combined?.values ?? []
    try visitValues { expression in
      if let error = expression.error { throw error }
      if values.isEmpty { values = expression.values } else { values += expression.values }
    } number: { number in
      values.append(.integer(Int64(number)))
    }
    return values
  }

  /// Calls a closure with each expression or number that has values, in the order of the values.
  @inline(__always)
  func visitValues<Failure: Error>(
    _ expression: (QueryExpression) throws(Failure) -> Void, number: (Int) -> Void
  ) throws(Failure) {
    if let traversal {
      try expression(traversal.start)
      if let depth = traversal.maximumDepth { number(depth) }
    }
    if let search { try expression(search.text) }
    if let json = join?.json { try expression(json) }
    for selected in selection { try expression(selected) }
    if !limitsRowsFirst, let filter { try expression(filter) }
    if let having { try expression(having) }
    if let topGroups { for part in topGroups.expressions { try expression(part) } }
    for order in groupOrders { try expression(order.expression) }
    if let topGroups { number(topGroups.count) }
    if let groupLimit { number(groupLimit) }
    if limitsRowsFirst, let filter { try expression(filter) }
    for order in orders { try expression(order.expression) }
    if let limit { number(limit) }
    if let offset { number(offset) }
  }
}
