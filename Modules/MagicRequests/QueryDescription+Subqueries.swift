package import MagicSchema

extension QueryDescription {
  /// Returns a function of the rows of the query. The sort order is ignored unless there is a limit or
  /// an offset.
  ///
  /// - Parameters:
  ///   - selection: the value that is computed for each row.
  ///   - operand: the value that `includes` searches for.
  ///   - partition: the values for each of which the limit is a number of rows.
  package func subquery(
    _ function: MemberFunction, in schema: ObjectSchema, selection: QueryExpression? = nil,
    operand: QueryExpression? = nil, partition: [QueryExpression]? = nil
  ) -> QueryExpression {
    if let error = error ?? searchMistake(function, isPartitioned: partition != nil, in: schema) {
      return QueryExpression(error)
    }
    guard join == nil, combined == nil else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "A subquery has combined rows. Use a condition with exists(_:) in it instead.",
          type: schema.typeName))
    }
    guard groups.isEmpty, groupLimit == nil else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "A subquery has groups, or a limit of distinct rows. Group the rows of the whole query.",
          type: schema.typeName))
    }
    let plan = rows.withSearchInFilter(of: schema)
    guard !(plan.filter?.tree.isAggregate ?? false), !(selection?.tree.isAggregate ?? false) else {
      return QueryExpression(
        MagicError(
          .invalidQuery,
          "A row of a subquery has no aggregates. Use sum, min, max or average of it.",
          type: schema.typeName))
    }
    let limits = [plan.limit, plan.offset].compactMap { $0 }
      .map { QueryExpression(.integer(Int64($0))) }
    let traversal = plan.traversal
    let operands = [
      operand, traversal?.start, traversal?.limit.map { QueryExpression($0) }, selection,
      plan.filter,
    ].compactMap { $0 }
    let orders = plan.orders.map(\.expression)
    return QueryExpression(operands + (partition ?? []) + orders + limits) { trees in
      var rest = trees[...]
      let operand = operand == nil ? nil : rest.removeFirst()
      if let traversal { rest.removeFirst(traversal.limit == nil ? 1 : 2) }
      let selection = selection == nil ? nil : rest.removeFirst()
      let filter = plan.filter == nil ? nil : rest.removeFirst()
      let keys = partition.map { Array(rest.prefix($0.count)) }
      rest.removeFirst(keys?.count ?? 0)
      let query = Subquery(
        schema: schema, rowScopes: plan.rowScopes ?? [], traversal: traversal?.tree,
        selection: selection, filter: filter,
        orders: zip(plan.orders, rest).map {
          ExpressionTree.SortTerm(tree: $1, isDescending: $0.isDescending)
        },
        partition: keys, isRoot: plan.usesRoot,
        isRandom: plan.isRandom, hasLimit: plan.limit != nil, hasOffset: plan.offset != nil)
      return .subquery(function, query, operand)
    }
  }
}
