import MagicEngine
public import MagicSchema

/// Selected values of the rows of a query, as typed tuples.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// let names = try await people.select(\.$name, \.$age).all()  // [(String, Int)]
/// ```
public struct MagicSelection<Model: MagicObject, Row, Source> {
  package internal(set) var plan: QueryDescription
  package let source: Source
  package let reader: Result<RowReader<Row>, any Error>

  package init(
    plan: QueryDescription, source: Source, reader: Result<RowReader<Row>, any Error>
  ) {
    self.plan = plan
    self.source = source
    self.reader = reader
  }

  /// Returns the selection without duplicates: several rows that are equal in all columns become
  /// one row. A limit or offset of the query applies to its rows before duplicates are removed.
  public func distinct() -> Self {
    var selection = self
    selection.plan.isDistinct = true
    return selection
  }
}

extension MagicSelection: Sendable where Source: Sendable {}

extension MagicQuery {
  /// Selects a property of the rows.
  public func select<Value>(
    _ path: MagicPath<Model, Value>
  ) -> MagicSelection<Model, Value, Source> {
    let selected = QueryExpression(path)
    return selection(
      [selected], of: plan, Result { try RowReader.single(Value.self, of: selected, Model.self) })
  }

  /// Selects the expression that the closure returns: `select { $0.$name.lowercased() }`.
  public func select<Value>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Value>
  ) -> MagicSelection<Model, Value, Source> {
    var plan = plan
    let selected = expression(plan.row()).untyped
    return selection(
      [selected], of: plan, Result { try RowReader.single(Value.self, of: selected, Model.self) })
  }

  /// Selects several properties of the rows, as tuples.
  public func select<each Value>(
    _ paths: repeat MagicPath<Model, each Value>
  ) -> MagicSelection<Model, (repeat each Value), Source> {
    var selected: [QueryExpression] = []
    repeat selected.append(QueryExpression(each paths))
    return selection(
      selected, of: plan,
      Result { try RowReader.tuples(repeat (each Value).self, of: selected, Model.self) })
  }

  /// Selects the expressions that the closure returns, as tuples: `select { ($0.$name, $0.$age + 1)
  /// }`.
  public func select<each Value>(
    _ expressions: (MagicRow<Model>) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, (repeat each Value), Source> {
    var selected: [QueryExpression] = []
    var plan = plan
    let row = expressions(plan.row())
    repeat selected.append((each row).untyped)
    return selection(
      selected, of: plan,
      Result { try RowReader.tuples(repeat (each Value).self, of: selected, Model.self) })
  }

  private func selection<Row>(
    _ expressions: [QueryExpression], of plan: QueryDescription,
    _ reader: Result<RowReader<Row>, any Error>
  ) -> MagicSelection<Model, Row, Source> {
    var plan = plan
    plan.selection = expressions
    return MagicSelection(plan: plan, source: source, reader: reader)
  }
}
