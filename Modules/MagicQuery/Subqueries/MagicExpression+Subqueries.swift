import MagicEngine
public import Magical
public import MagicSchema

/// Values and objects that another query finds.
///
/// ```swift
/// // The playlists of adults.
/// let adults = MagicQuery(Person.self).where(\.$age >= 18)
/// let theirs = try await magic.query(Playlist.self).where { $0.$owner.in(adults) }.all()
/// ```
extension MagicExpression {
  /// Whether the value is one of those that another query selects; false for nil.
  public func `in`<Other: MagicObject>(
    _ selection: MagicSelection<Other, Value, MagicUnbound>
  ) -> MagicPredicate<Model> where Value: Magical {
    isIn(selection)
  }

  /// Whether the value is one of those that another query selects; false for nil.
  public func `in`<Other: MagicObject, Wrapped: Magical>(
    _ selection: MagicSelection<Other, Wrapped, MagicUnbound>
  ) -> MagicPredicate<Model> where Value == Wrapped? {
    isIn(selection)
  }

  /// Whether the value is one of those that another query selects; false for nil.
  public func `in`<Other: MagicObject>(
    _ selection: MagicSelection<Other, Value?, MagicUnbound>
  ) -> MagicPredicate<Model> where Value: Magical {
    isIn(selection)
  }

  /// Whether the value is one of those that another query selects; false for nil.
  public func `in`<Other: MagicObject, Wrapped: Magical>(
    _ selection: MagicSelection<Other, Wrapped?, MagicUnbound>
  ) -> MagicPredicate<Model> where Value == Wrapped? {
    isIn(selection)
  }

  /// Whether another query finds the object.
  public func `in`(
    _ query: MagicQuery<Value, MagicUnbound>
  ) -> MagicPredicate<Model> where Value: MagicObject {
    isIn(query)
  }

  /// Whether another query finds the object; false for nil.
  public func `in`<Target: MagicObject>(
    _ query: MagicQuery<Target, MagicUnbound>
  ) -> MagicPredicate<Model> where Value == Target? {
    isIn(query)
  }

  private func isIn<Other: MagicObject, Row>(
    _ selection: MagicSelection<Other, Row, MagicUnbound>
  ) -> MagicPredicate<Model> {
    MagicPredicate(selection.plan.value(.includes, of: Other.self, operand: untyped))
  }

  private func isIn<Target: MagicObject>(
    _ query: MagicQuery<Target, MagicUnbound>
  ) -> MagicPredicate<Model> {
    let zIndex = MagicRow<Target>(scope: .innermost).zIndex.untyped
    return MagicPredicate(
      query.plan.subquery(.includes, of: Target.self, selection: zIndex, operand: untyped))
  }
}

/// Rows of an outer query in the closures of a subquery.
extension MagicExpression {
  /// Returns the value of a row of an outer query as an expression of a subquery of another type.
  ///
  /// ```swift
  /// let buyers = try await magic.query(Person.self)
  ///   .where { person in MagicQuery(Sale.self).exists { $0.$customer == person.$name.outer() } }
  ///   .all()
  /// ```
  public func outer<Inner: MagicObject>() -> MagicExpression<Inner, Value> {
    MagicExpression<Inner, Value>(untyped)
  }
}

/// Whether a to-one relationship refers to a row of an outer query.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, row.zIndex.untyped)
}

/// Whether an optional to-one relationship refers to a row of an outer query.
public func == <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target?>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  .comparison(.equal, expression.untyped, row.zIndex.untyped)
}

/// Whether a to-one relationship does not refer to a row of an outer query.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, row.zIndex.untyped)
}

/// Whether an optional to-one relationship is nil, or does not refer to a row of an outer query.
public func != <Model, Target: MagicObject>(
  expression: MagicExpression<Model, Target?>, row: MagicRow<Target>
) -> MagicPredicate<Model> {
  .comparison(.notEqual, expression.untyped, row.zIndex.untyped)
}
