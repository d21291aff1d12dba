import MagicSchema

extension QueryDescription {
  /// Checks that window functions are only in selections and orders. Called for queries that have
  /// window functions.
  func checkWindows(of result: QueryResult, in schema: ObjectSchema) throws {
    func refuse(_ text: String) throws -> Never {
      throw MagicError(.invalidQuery, text, type: schema.typeName)
    }
    let conditions = [traversal?.start, filter, having].compactMap { $0 } + groups
    guard !conditions.contains(where: \.tree.hasWindow) else {
      try refuse(
        "A window function is in a condition or in the key of groups. Select it, or "
          + "use top(_:over:).")
    }
    let computed = (selection + groupOrders.map(\.expression) + orders.map(\.expression))
      .map(\.tree)
    let numbering = topGroups?.expressions.map(\.tree) ?? []
    guard !computed.contains(where: \.hasMisplacedWindow),
      !numbering.contains(where: \.hasWindow)
    else {
      try refuse(
        "A window function is in an aggregate, a subquery or another window. Select it in the query "
          + "itself.")
    }
    guard groups.isEmpty || !orders.contains(where: \.expression.tree.hasWindow) else {
      try refuse(
        "The rows of groups are ordered by a window function. Order the groups by it instead.")
    }
    guard !(isDistinct && hasLimitOrOffset) else {
      try refuse(
        "A selection with a window function has distinct() and a limit of rows. Limit the selection."
      )
    }
    switch result {
    case .tuples, .tupleCount, .objects, .rowIDs, .exists, .count: break
    case .page:
      try refuse("A query that is ordered by a window function cannot be read in pages. Use all().")
    case .aggregates, .delete, .update:
      try refuse(
        "A window function is in an aggregate, an update or a deletion of rows. Select it.")
    }
  }
}
