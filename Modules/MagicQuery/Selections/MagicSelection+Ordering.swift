import MagicEngine
import MagicSchema

extension MagicSelection {
  /// Returns the selection ordered by a property of the query's rows. The orders that were added
  /// before have priority, also those of the query.
  public func order<Value: MagicalOrdered>(
    by path: MagicPath<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: QueryExpression(path), direction)
  }

  /// Returns the selection ordered by the expression that the closure returns for each of the
  /// query's rows. The same rules apply as for a property.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    var selection = self
    let order = expression(selection.plan.row()).untyped
    selection.plan.order(by: order, isDescending: direction == .descending)
    return selection
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
    selection.plan.order(by: expression, isDescending: direction == .descending)
    return selection
  }
}
