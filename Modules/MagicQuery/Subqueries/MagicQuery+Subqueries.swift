import MagicEngine
public import Magical
public import MagicSchema

/// Values that a query of any type contributes to a condition or a selection of another query. All
/// of it is one statement.
///
/// ```swift
/// let items = MagicQuery(Item.self)
///
/// // The items that cost more than the average.
/// let expensive = try await magic.query(Item.self)
///   .where { $0.$price > items.average(\.$price) }
///   .all()
/// ```
///
/// The closures of the subquery can use the rows of the outer query: `$0.$owner == person`, or
/// `$0.$customer == person.$name.outer()`.
extension MagicQuery where Source == MagicUnbound {
  /// Returns whether the query has a row.
  public func exists<Outer: MagicObject>() -> MagicPredicate<Outer> {
    MagicPredicate(subquery(.exists))
  }

  /// Returns whether the query has a row for which the predicate is true.
  public func exists<Outer: MagicObject>(
    _ predicate: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> MagicPredicate<Outer> {
    `where`(predicate).exists()
  }

  /// Returns the number of rows.
  public func count<Outer: MagicObject>() -> MagicExpression<Outer, Int> {
    MagicExpression<Outer, Int>(subquery(.count))
  }

  /// Returns the number of rows for which the predicate is true.
  public func count<Outer: MagicObject>(
    _ predicate: (MagicRow<Model>) -> MagicPredicate<Model>
  ) -> MagicExpression<Outer, Int> {
    `where`(predicate).count()
  }

  /// Returns the number of distinct values of a property. Nil is not counted.
  public func count<Outer: MagicObject, Value>(
    distinct path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Int> {
    MagicExpression<Outer, Int>(subquery(.distinctCount, QueryExpression(path)))
  }

  /// Returns the number of distinct values of an expression. Nil is not counted.
  public func count<Outer: MagicObject, Value>(
    distinct expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Outer, Int> {
    MagicExpression<Outer, Int>(subquery(.distinctCount, expression))
  }

  /// Returns the sum of a property over all rows; 0 if there are no values.
  public func sum<Outer: MagicObject, Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Value.Sum> {
    MagicExpression<Outer, Value.Sum>(subquery(.sum, QueryExpression(path)))
  }

  /// Returns the sum of an expression over all rows; 0 if there are no values.
  public func sum<Outer: MagicObject, Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Outer, Value.Sum> {
    MagicExpression<Outer, Value.Sum>(subquery(.sum, expression))
  }

  /// Returns the average of a property over all rows; nil if there are no values.
  public func average<Outer: MagicObject, Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Double?> {
    MagicExpression<Outer, Double?>(subquery(.average, QueryExpression(path)))
  }

  /// Returns the average of an expression over all rows; nil if there are no values.
  public func average<Outer: MagicObject, Value: MagicalNumeric>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Outer, Double?> {
    MagicExpression<Outer, Double?>(subquery(.average, expression))
  }

  /// Returns the smallest value of a property; nil if there are no values.
  public func min<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.minimum, QueryExpression(path)))
  }

  /// Returns the smallest value of an expression; nil if there are no values.
  public func min<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.minimum, expression))
  }

  /// Returns the smallest value of an optional property; nil if there are no values.
  public func min<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.minimum, QueryExpression(path)))
  }

  /// Returns the smallest value of an optional expression; nil if there are no values.
  public func min<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.minimum, expression))
  }

  /// Returns the largest value of a property; nil if there are no values.
  public func max<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.maximum, QueryExpression(path)))
  }

  /// Returns the largest value of an expression; nil if there are no values.
  public func max<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.maximum, expression))
  }

  /// Returns the largest value of an optional property; nil if there are no values.
  public func max<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.maximum, QueryExpression(path)))
  }

  /// Returns the largest value of an optional expression; nil if there are no values.
  public func max<Outer: MagicObject, Value: MagicalOrdered & Magical>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value?>
  ) -> MagicExpression<Outer, Value?> {
    MagicExpression<Outer, Value?>(subquery(.maximum, expression))
  }

  private func subquery(
    _ function: MemberFunction, _ selection: QueryExpression? = nil
  ) -> QueryExpression {
    plan.subquery(function, of: Model.self, selection: selection)
  }

  private func subquery<Value>(
    _ function: MemberFunction, _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> QueryExpression {
    var plan = plan
    let selection = expression(plan.row()).untyped
    return plan.subquery(function, of: Model.self, selection: selection)
  }
}

extension MagicSelection where Source == MagicUnbound {
  /// Returns the value of the first row, for an expression of another query; nil if there is no row.
  public func first<Outer: MagicObject>() -> MagicExpression<Outer, Row?> where Row: Magical {
    MagicExpression<Outer, Row?>(firstValue)
  }

  /// Returns the value of the first row, for an expression of another query; nil if there is no row.
  public func first<Outer: MagicObject, Value: Magical>() -> MagicExpression<Outer, Row>
  where Row == Value? {
    MagicExpression<Outer, Row>(firstValue)
  }

  private var firstValue: QueryExpression {
    var plan = plan
    if !plan.isDistinct, plan.groups.isEmpty { plan.limit(to: Swift.min(plan.limit ?? 1, 1)) }
    return plan.value(.first, of: Model.self)
  }
}

extension QueryDescription {
  package func subquery<Model: MagicObject>(
    _ function: MemberFunction, of type: Model.Type, selection: QueryExpression? = nil,
    operand: QueryExpression? = nil
  ) -> QueryExpression {
    do {
      return subquery(
        function, in: try ObjectSchema.of(type), selection: selection, operand: operand)
    } catch {
      return QueryExpression(error)
    }
  }

  /// Returns a function of the one value that this query selects.
  func value<Model: MagicObject>(
    _ function: MemberFunction, of type: Model.Type, operand: QueryExpression? = nil
  ) -> QueryExpression {
    guard selection.count == 1 else { return QueryExpression(MagicError.malformedQuery) }
    return subquery(function, of: type, selection: selection[0], operand: operand)
  }
}
