import MagicEngine
import MagicSchema

extension MagicQuery {
  /// Returns the query restricted to rows for which the predicate is true.
  public func `where`(_ predicate: MagicPredicate<Model>) -> Self {
    with { $0.restrict(to: predicate.untyped) }
  }

  /// Returns the query restricted to rows for which the predicate that the closure returns is true.
  /// The closure is called once, before this method returns.
  public func `where`(_ predicate: (MagicRow<Model>) -> MagicPredicate<Model>) -> Self {
    with { $0.restrict(to: predicate($0.row()).untyped) }
  }

  /// Returns the query restricted to rows whose property is true.
  public func `where`(_ path: MagicPath<Model, Bool>) -> Self {
    with { $0.restrict(to: QueryExpression(path)) }
  }

  /// Returns the query ordered by a property. Orders that were added before have priority. Rows
  /// that are equal in all orders are ordered by their row IDs (`zIndex`). Nil sorts first, or last
  /// if the order is descending.
  public func order<Value: MagicalOrdered>(
    by path: MagicPath<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: QueryExpression(path), direction)
  }

  /// Returns the query ordered by the texts of a property, compared by a collation:
  /// `order(by: \.$name, .localized)`. The same rules apply as for other orders. Only an index of a
  /// column with this collation is used for the order.
  public func order<Value: MagicalOrdered & MagicText>(
    by path: MagicPath<Model, Value>, _ collation: MagicCollation,
    _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: .collated(QueryExpression(path), collation), direction)
  }

  /// Returns the query ordered by the expression that the closure returns. The same rules apply as
  /// for a property.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    with { plan in
      let expression = expression(plan.row()).untyped
      plan.order(by: expression, isDescending: direction == .descending)
    }
  }

  private func ordered(by expression: QueryExpression, _ direction: MagicOrder) -> Self {
    with { $0.order(by: expression, isDescending: direction == .descending) }
  }

  /// Returns the query in a random order, which differs each time the query runs. It replaces the
  /// orders that were added before.
  public func order(_ order: MagicRandomOrder) -> Self {
    with {
      $0.isRandom = true
      $0.orders = []
    }
  }

  /// Returns the query limited to a maximum number of rows. A second limit replaces the first. A
  /// negative number makes the query throw `.invalidQuery` when it runs.
  public func limit(_ count: Int) -> Self { with { $0.limit(to: count) } }

  /// Returns the query without the given number of first rows. A second offset replaces the first.
  /// A negative number makes the query throw `.invalidQuery` when it runs.
  public func offset(_ count: Int) -> Self { with { $0.skip(count) } }
}
