import MagicEngine
public import MagicQuery
public import MagicSchema

/// The rows of a query, each combined with rows of a type or with elements of JSON: the result of
/// `joined(with:on:)` and of `each(_:)`.
///
/// ```swift
/// // The colleagues with a higher pay than their manager.
/// let rich = try await magic.query(Colleague.self)
///   .joined(with: Colleague.self) { $0.$manager == $1 && $0.$pay > $1.$pay }
///   .select { colleague, manager in (colleague.$name, manager.$name) }
///   .all()
/// ```
///
/// The closures get the row of the query and what it is combined with.
public struct MagicJoin<Model: MagicObject, Other: Sendable, Source> {
  private(set) var plan: QueryDescription
  package let source: Source
  /// The arguments of closures.
  let row: MagicRow<Model>
  let other: Other

  init(_ plan: QueryDescription, source: Source, row: MagicRow<Model>, other: Other) {
    self.plan = plan
    self.source = source
    self.row = row
    self.other = other
  }

  private func with(_ change: (inout QueryDescription) -> Void) -> Self {
    var join = self
    change(&join.plan)
    return join
  }

  /// Returns the combinations for which the predicate is true.
  public func `where`(_ predicate: (MagicRow<Model>, Other) -> MagicPredicate<Model>) -> Self {
    with { $0.restrict(to: predicate(row, other).untyped) }
  }

  /// Returns the combinations ordered by the expression that the closure returns. Orders that were
  /// added before have priority.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicRow<Model>, Other) -> MagicExpression<Model, Value>
  ) -> Self {
    with {
      $0.order(by: expression(row, other).untyped, isDescending: direction == .descending)
    }
  }

  /// Returns the combinations limited to a maximum number. A negative number makes the query throw
  /// `.invalidQuery` when it runs.
  public func limit(_ count: Int) -> Self { with { $0.limit(to: count) } }

  /// Returns the combinations without the given number of first ones. A negative number makes the
  /// query throw `.invalidQuery` when it runs.
  public func offset(_ count: Int) -> Self { with { $0.skip(count) } }
}

extension MagicJoin: Sendable where Source: Sendable {}

extension MagicJoin {
  /// Selects the expression that the closure returns.
  public func select<Value>(
    _ expression: (MagicRow<Model>, Other) -> MagicExpression<Model, Value>
  ) -> MagicSelection<Model, Value, Source> {
    let selected = expression(row, other).untyped
    return selection(
      [selected], Result { try RowReader.single(Value.self, of: selected, Model.self) })
  }

  /// Selects the expressions that the closure returns, as tuples.
  public func select<each Value>(
    _ expressions: (MagicRow<Model>, Other) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, (repeat each Value), Source> {
    var selected: [QueryExpression] = []
    let row = expressions(row, other)
    repeat selected.append((each row).untyped)
    return selection(
      selected, Result { try RowReader.tuples(repeat (each Value).self, of: selected, Model.self) })
  }

  private func selection<Row>(
    _ expressions: [QueryExpression], _ reader: Result<RowReader<Row>, any Error>
  ) -> MagicSelection<Model, Row, Source> {
    var plan = plan
    plan.selection = expressions
    return MagicSelection(plan: plan, source: source, reader: reader)
  }

  /// Groups the combinations by the expression that the closure returns.
  public func grouped<Key>(
    by expression: (MagicRow<Model>, Other) -> MagicExpression<Model, Key>
  ) -> MagicGroups<Model, Key, Source> {
    let key = expression(row, other).untyped
    return groups([key], Result { try RowReader.single(Key.self, of: key, Model.self) })
  }

  /// Groups the combinations by the expressions that the closure returns. The key of a group is the
  /// tuple of their values.
  public func grouped<each Key>(
    by expressions: (MagicRow<Model>, Other) -> (repeat MagicExpression<Model, each Key>)
  ) -> MagicGroups<Model, (repeat each Key), Source> {
    var keys: [QueryExpression] = []
    let row = expressions(row, other)
    repeat keys.append((each row).untyped)
    return groups(
      keys, Result { try RowReader.tuples(repeat (each Key).self, of: keys, Model.self) })
  }

  private func groups<Key>(
    _ keys: [QueryExpression], _ reader: Result<RowReader<Key>, any Error>
  ) -> MagicGroups<Model, Key, Source> {
    var plan = plan
    plan.groups = keys
    return MagicGroups(plan: plan, source: source, key: reader)
  }
}
