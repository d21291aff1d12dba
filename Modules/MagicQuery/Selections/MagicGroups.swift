import MagicEngine
public import MagicSchema

/// The rows of a query, in groups whose rows have equal keys: `grouped(by: \.$city).count()`. A
/// limit or offset of the query restricts the rows that are grouped. A limit of the groups
/// restricts the number of groups.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// let perAge = try await people.grouped(by: \.$age).count()  // [(key: Int, count: Int)]
/// ```
public struct MagicGroups<Model: MagicObject, Key, Source> {
  var plan: QueryDescription
  package let source: Source
  let key: Result<RowReader<Key>, any Error>

  package init(
    plan: QueryDescription, source: Source, key: Result<RowReader<Key>, any Error>
  ) {
    self.plan = plan
    self.source = source
    self.key = key
  }

  /// Returns the groups for which the predicate is true.
  public func having(_ predicate: (MagicGroup<Model>) -> MagicPredicate<Model>) -> Self {
    var groups = self
    groups.plan.restrictGroups(to: predicate(group).untyped)
    return groups
  }

  /// Returns the groups ordered by the expression that the closure returns: `order(.descending) {
  /// $0.count }`. The order applies after the orders of groups that were added before, and before
  /// the orders of the query's rows.
  public func order<Value: MagicalOrdered>(
    _ direction: MagicOrder = .ascending,
    by expression: (MagicGroup<Model>) -> MagicExpression<Model, Value>
  ) -> Self {
    var groups = self
    groups.plan.groupOrders.append(
      QueryDescription.SortTerm(
        expression(group).untyped, isDescending: direction == .descending))
    return groups
  }

  /// Returns the groups ordered by their keys: `order(byKey: .ascending)`. The order applies after
  /// the orders of groups that were added before.
  public func order(byKey direction: MagicOrder) -> Self {
    var groups = self
    groups.plan.groupOrders += plan.groups.indices.map { index in
      let key = plan.groups[index]
      return QueryDescription.SortTerm(
        key.isSelected ? QueryExpression(tree: .selected(index)) : key,
        isDescending: direction == .descending)
    }
    return groups
  }

  /// Returns the groups limited to a maximum number. A second limit replaces the first. A negative
  /// number makes the query throw `.invalidQuery` when it runs.
  public func limit(_ count: Int) -> Self {
    var groups = self
    groups.plan.limitGroups(to: count)
    return groups
  }

  /// Selects the key of each group and the expressions that the closure returns.
  public func select<each Value>(
    _ expressions: (MagicGroup<Model>) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, (key: Key, values: (repeat each Value)), Source> {
    var selected: [QueryExpression] = []
    let row = expressions(group)
    repeat selected.append((each row).untyped)
    return selection(selected) {
      try RowReader.tuples(repeat (each Value).self, of: $0, Model.self)
    }
    .named { (key: $0, values: $1) }
  }

  /// Selects the key of each group and the expressions that the closure returns.
  public func select<Value>(
    _ expression: (MagicGroup<Model>) -> MagicExpression<Model, Value>
  ) -> MagicSelection<Model, (key: Key, value: Value), Source> {
    selection([expression(group).untyped]) {
      try RowReader.single(Value.self, of: $0[0], Model.self)
    }
    .named { (key: $0, value: $1) }
  }

  var group: MagicGroup<Model> { MagicGroup(keys: plan.groups) }

  func selection<Values>(
    _ expressions: [QueryExpression], _ values: ([QueryExpression]) throws -> RowReader<Values>
  ) -> PairSelection<Model, Key, Values, Source> {
    var plan = plan
    plan.selection = plan.groups + expressions
    return PairSelection(
      plan: plan, source: source, key: key, values: Result { try values(expressions) })
  }
}

extension MagicGroups: Sendable where Source: Sendable {}

/// A selection of the keys of groups and the values computed from the groups. ``named(_:)`` adds
/// labels to the two parts of a row.
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

/// A group of rows, as the argument of a closure. Its members are expressions that are computed
/// from all rows of the group.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// let crowded = try await people.grouped(by: \.$age)
///   .having { $0.count > 1 }
///   .order(.descending) { $0.count }
///   .limit(3)
///   .count()
/// ```
public struct MagicGroup<Model: MagicObject>: MagicRankedRow, Sendable {
  /// The expressions by which the rows are grouped.
  var keys: [QueryExpression] = []

  /// The number of rows.
  public var count: MagicExpression<Model, Int> {
    MagicExpression(QueryExpression(tree: .rowCount))
  }
}

extension MagicQuery {
  /// Groups the rows by a property.
  public func grouped<Key>(by path: MagicPath<Model, Key>) -> MagicGroups<Model, Key, Source> {
    var plan = plan
    let key = QueryExpression(path)
    plan.groups = [key]
    return MagicGroups(
      plan: plan, source: source,
      key: Result { try RowReader.single(Key.self, of: key, Model.self) })
  }

  /// Groups the rows by the expression that the closure returns: `grouped { $0.$date.year }`.
  public func grouped<Key>(
    by expression: (MagicRow<Model>) -> MagicExpression<Model, Key>
  ) -> MagicGroups<Model, Key, Source> {
    var plan = plan
    let key = expression(plan.row()).untyped
    plan.groups = [key]
    return MagicGroups(
      plan: plan, source: source,
      key: Result { try RowReader.single(Key.self, of: key, Model.self) })
  }

  /// Groups the rows by the expressions that the closure returns. The key of a group is the tuple of
  /// their values.
  public func grouped<each Key>(
    by expressions: (MagicRow<Model>) -> (repeat MagicExpression<Model, each Key>)
  ) -> MagicGroups<Model, (repeat each Key), Source> {
    var plan = plan
    var keys: [QueryExpression] = []
    let row = expressions(plan.row())
    repeat keys.append((each row).untyped)
    plan.groups = keys
    return MagicGroups(
      plan: plan, source: source,
      key: Result { try RowReader.tuples(repeat (each Key).self, of: keys, Model.self) })
  }

  /// Groups the rows by several properties. The key of a group is the tuple of their values.
  public func grouped<each Key>(
    by paths: repeat MagicPath<Model, each Key>
  ) -> MagicGroups<Model, (repeat each Key), Source> {
    var plan = plan
    var keys: [QueryExpression] = []
    repeat keys.append(QueryExpression(each paths))
    plan.groups = keys
    return MagicGroups(
      plan: plan, source: source,
      key: Result { try RowReader.tuples(repeat (each Key).self, of: keys, Model.self) })
  }
}
