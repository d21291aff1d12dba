package import MagicSchema

extension QueryExpression {
  /// Returns a function of the rows of a query.
  ///
  /// - Parameters:
  ///   - plan: the query. Its sort order is ignored unless it has a limit or an offset.
  ///   - selection: the value that is computed for each row.
  ///   - operand: the value that `includes` searches for.
  package static func subquery(
    _ function: MemberFunction, _ schema: ObjectSchema, _ plan: QueryDescription,
    selection: QueryExpression? = nil, operand: QueryExpression? = nil
  ) -> QueryExpression {
    if let error = plan.error { return QueryExpression(error) }
    guard plan.groups.isEmpty, plan.groupLimit == nil else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "A subquery has groups, or a limit of distinct rows. Group the rows of the whole query.",
          type: schema.typeName))
    }
    let plan = plan.rows
    guard !(plan.filter?.tree.isAggregate ?? false), !(selection?.tree.isAggregate ?? false) else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "A row of a subquery has no aggregates. Use sum, min, max or average of it.",
          type: schema.typeName))
    }
    let limits = [plan.limit, plan.offset].compactMap { $0 }
      .map { QueryExpression(.integer(Int64($0))) }
    let operands = [operand, selection, plan.filter].compactMap { $0 }
    return QueryExpression(operands + plan.orders.map(\.expression) + limits) { trees in
      var rest = trees[...]
      let operand = operand == nil ? nil : rest.removeFirst()
      let query = Subquery(
        schema: schema, rowScopes: plan.rowScopes ?? [],
        selection: selection == nil ? nil : rest.removeFirst(),
        filter: plan.filter == nil ? nil : rest.removeFirst(),
        orders: zip(plan.orders, rest).map {
          ExpressionTree.SortTerm(tree: $1, isDescending: $0.isDescending)
        },
        isRandom: plan.isRandom, hasLimit: plan.limit != nil, hasOffset: plan.offset != nil)
      return .subquery(function, query, operand)
    }
  }
}
