import MagicEngine
import MagicSchema

extension MagicQuery {
  /// Those of the rows for which the predicate is true.
  public func `where`(_ predicate: MagicPredicate<Model>) -> Self {
    with { $0.restrict(to: predicate.untyped) }
  }

  /// Those of the rows for which the predicate that the closure makes is true. The closure runs
  /// once, now.
  public func `where`(_ predicate: (MagicRow<Model>) -> MagicPredicate<Model>) -> Self {
    with { $0.restrict(to: predicate(MagicRow(scope: .root)).untyped) }
  }

  /// Those of the rows whose property is true.
  public func `where`(_ path: MagicPath<Model, Bool>) -> Self {
    with { $0.restrict(to: QueryExpression(path)) }
  }

  /// Orders by a property, behind the orders that were given before. What is equal in all of them
  /// comes in z-index order. Nil comes first, or last when descending.
  public func order<Value: MagicalOrdered>(
    by path: MagicPath<Model, Value>, _ direction: MagicOrder = .ascending
  ) -> Self {
    ordered(by: QueryExpression(path), direction)
  }

  /// Orders by what the closure makes of a row, as by a property.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    ordered(by: expression(MagicRow(scope: .root)).untyped, direction)
  }

  private func ordered(by expression: QueryExpression, _ direction: MagicOrder) -> Self {
    with {
      $0.isRandom = false
      $0.orders.append(
        QueryDescription.SortTerm(expression, isDescending: direction == .descending))
    }
  }

  /// A random order, another one each time it runs.
  public func order(_ order: MagicRandomOrder) -> Self {
    with {
      $0.isRandom = true
      $0.orders = []
    }
  }

  /// At most so many rows; a second limit replaces the first. A negative number is an error where the query runs.
  public func limit(_ count: Int) -> Self { with { $0.limit(to: count) } }

  /// Without the first so many rows; a second offset replaces the first. A negative number is an error where the query runs.
  public func offset(_ count: Int) -> Self { with { $0.skip(count) } }
}

/// Which way an order goes.
public enum MagicOrder: Sendable {
  /// The smallest first, and nil before it.
  case ascending
  /// The largest first, and nil last.
  case descending
}

/// An order by chance.
public enum MagicRandomOrder: Sendable {
  /// Another order each time.
  case random
}
