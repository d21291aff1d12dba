import MagicEngine
public import Magical
public import MagicSchema

/// The rows of a query in groups of equal keys: `grouped(by: \.$city).count()`. A limit or offset of
/// the query says which rows are grouped; one of the groups, how many groups there are.
public struct MagicGroups<Model: MagicObject, Key, Source> {
  var plan: QueryDescription
  let source: Source
  let key: Result<RowReader<Key>, any Error>

  /// Those of the groups for which the predicate is true.
  public func having(_ predicate: (MagicGroup<Model>) -> MagicPredicate<Model>) -> Self {
    var groups = self
    groups.plan.restrictGroups(to: predicate(MagicGroup()).untyped)
    return groups
  }

  /// Orders the groups by what the closure makes of each, behind the orders that were given before
  /// and before that of the query's rows: `order(.descending) { $0.count }`.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicGroup<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    var groups = self
    groups.plan.groupOrders.append(
      QueryDescription.SortTerm(
        expression(MagicGroup()).untyped, isDescending: direction == .descending))
    return groups
  }

  /// At most so many groups; a second limit replaces the first. A negative number is an error where
  /// the query runs.
  public func limit(_ count: Int) -> Self {
    var groups = self
    groups.plan.limitGroups(to: count)
    return groups
  }

  /// What the closure makes of each group, behind its key.
  public func select<each Value>(
    _ expressions: (MagicGroup<Model>) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, (key: Key, values: (repeat each Value)), Source> {
    var selected: [QueryExpression] = []
    let row = expressions(MagicGroup())
    repeat selected.append((each row).untyped)
    return selection(selected) { try RowReader.tuples(of: repeat (each Value).self) }
      .named { (key: $0, values: $1) }
  }

  /// What the closure makes of each group, behind its key.
  public func select<Value>(
    _ expression: (MagicGroup<Model>) -> MagicExpression<Model, Value>
  ) -> MagicSelection<Model, (key: Key, value: Value), Source> {
    selection([expression(MagicGroup()).untyped]) { try RowReader.single(Value.self) }
      .named { (key: $0, value: $1) }
  }

  func selection<Values>(
    _ expressions: [QueryExpression], _ values: () throws -> RowReader<Values>
  ) -> PairSelection<Model, Key, Values, Source> {
    var plan = plan
    plan.selection = plan.groups + expressions
    return PairSelection(
      plan: plan, source: source, key: key, values: Result { try values() })
  }
}

extension MagicGroups: Sendable where Source: Sendable {}

/// Groups' keys and what is computed of the groups, before the two have names.
struct PairSelection<Model: MagicObject, Key, Values, Source> {
  let plan: QueryDescription
  let source: Source
  let key: Result<RowReader<Key>, any Error>
  let values: Result<RowReader<Values>, any Error>

  func named<Row>(
    _ name: @escaping @Sendable (Key, Values) -> Row
  ) -> MagicSelection<Model, Row, Source> {
    let (key, values) = (key, values)
    return MagicSelection(
      plan: plan, source: source,
      reader: Result { .pair(try key.get(), try values.get(), name) })
  }
}

/// A group of rows, in a closure: what is computed of all of its rows.
public struct MagicGroup<Model: MagicObject>: Sendable {
  /// How many rows there are.
  public var count: MagicExpression<Model, Int> {
    MagicExpression(QueryExpression(tree: .rowCount))
  }

  /// The sum of a property's numbers.
  public func sum<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value.Sum> { aggregate(.sum, path) }

  /// The average of a property's numbers; nil where there is none.
  public func average<Value: MagicalNumeric>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Double?> { aggregate(.average, path) }

  /// The smallest value of a property; nil where there is none.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, path) }

  /// The smallest value of a property; nil where there is none.
  public func min<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.minimum, path) }

  /// The largest value of a property; nil where there is none.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, path) }

  /// The largest value of a property; nil where there is none.
  public func max<Value: MagicalOrdered & Magical>(
    _ path: MagicPath<Model, Value?>
  ) -> MagicExpression<Model, Value?> { aggregate(.maximum, path) }

  private func aggregate<Value, Result>(
    _ function: AggregateFunction, _ path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Result> {
    MagicExpression<Model, Result>(.aggregate(function, of: QueryExpression(path)))
  }
}

extension MagicQuery {
  /// Groups the rows by a property.
  public func grouped<Key>(by path: MagicPath<Model, Key>) -> MagicGroups<Model, Key, Source> {
    var plan = plan
    plan.groups = [QueryExpression(path)]
    return MagicGroups(
      plan: plan, source: source, key: Result { try RowReader.single(Key.self) })
  }

  /// Groups the rows by properties; the key is their tuple.
  public func grouped<each Key>(
    by paths: repeat MagicPath<Model, each Key>
  ) -> MagicGroups<Model, (repeat each Key), Source> {
    var plan = plan
    plan.groups = []
    repeat plan.groups.append(QueryExpression(each paths))
    return MagicGroups(
      plan: plan, source: source,
      key: Result { try RowReader.tuples(of: repeat (each Key).self) })
  }
}
