import MagicEngine
import MagicSchema

extension MagicSelection {
  /// Returns the selection ordered by a property of the query's rows. The orders that were added
  /// before have priority, also those of the query. The query throws `.invalidQuery` when it runs if
  /// it has groups and the property is not determined by their keys.
  public func order<Value: MagicalOrdered>(
    by path: MagicPath<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: QueryExpression(path), direction)
  }

  /// Returns the selection ordered by the texts of a property, compared by a collation. The same
  /// rules apply as for other orders.
  public func order<Value: MagicalOrdered & MagicText>(
    by path: MagicPath<Model, Value>, _ collation: MagicCollation,
    _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: .collated(QueryExpression(path), collation), direction)
  }

  /// Returns the selection ordered by the expression that the closure returns for each of the
  /// query's rows. The same rules apply as for a property.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    var selection = self
    let order = expression(selection.plan.row()).untyped
    return selection.ordered(by: order, direction)
  }

  /// Returns the selection limited to a maximum number of rows, which are the groups of a selection
  /// of groups, and the distinct rows after ``distinct()``. A negative number makes the query throw
  /// `.invalidQuery` when it runs.
  public func limit(_ count: Int) -> Self {
    var selection = self
    if plan.isDistinct || !plan.groups.isEmpty {
      selection.plan.limitGroups(to: count)
    } else {
      selection.plan.limit(to: count)
    }
    return selection
  }

  private func ordered(by expression: QueryExpression, _ direction: MagicOrder) -> Self {
    var selection = self
    if !plan.groups.isEmpty, expression.error == nil, !GroupKeys(plan.groups).determine(expression)
    {
      selection.plan.error =
        plan.error
        ?? MagicError(
          .invalidQuery,
          "Groups are ordered by an expression that is not one of their keys, so a group has many "
            + "values of it. Order by a key, or by an aggregate: grouped(by:).order { $0.count }.")
    }
    selection.plan.order(by: expression, isDescending: direction == .descending)
    return selection
  }
}
