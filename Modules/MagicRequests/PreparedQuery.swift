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
  /// The values in the order of the statement's clauses: selection, filter, conditions on groups,
  /// sort order of groups, limit of groups, sort order of rows, limit and offset. If limit and
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
    self.schema = schema
    self.plan = plan
    self.result = result
    values = try plan.values()
    shape = QueryShape(schema, result, plan)
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
    var values: [QueryValue] = []
    func add(_ expression: QueryExpression) throws {
      if let error = expression.error { throw error }
      if values.isEmpty { values = expression.values } else { values += expression.values }
    }
    for expression in selection { try add(expression) }
    if !limitsRowsFirst, let filter { try add(filter) }
    if let having { try add(having) }
    for order in groupOrders { try add(order.expression) }
    if let groupLimit { values.append(.integer(Int64(groupLimit))) }
    if limitsRowsFirst, let filter { try add(filter) }
    for order in orders { try add(order.expression) }
    if let limit { values.append(.integer(Int64(limit))) }
    if let offset { values.append(.integer(Int64(offset))) }
    return values
  }
}
