import MagicSchema

// A selection into a named type: the compiler checks the types of the expressions against the
// parameters of the initializer.

extension MagicQuery {
  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  ///
  /// ```swift
  /// let prices = try await magic.query(Item.self)
  ///   .select(into: Revenue.init) { ($0.$category, $0.$price, $0.$quantity) }
  ///   .all()
  /// ```
  public func select<Row, each Value>(
    into make: @escaping @Sendable (repeat each Value) -> Row,
    _ expressions: (MagicRow<Model>) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (repeat each Value), Source> = select(expressions)
    return selection.map { (values: (repeat each Value)) in make(repeat each values) }
  }
}

extension MagicGroups {
  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, each Value>(
    into make: @escaping @Sendable (Key, repeat each Value) -> Row,
    _ expressions: (MagicGroup<Model>) -> (repeat MagicExpression<Model, each Value>)
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (repeat each Value)), Source> =
      select(expressions)
    return selection.map { (row: (key: Key, values: (repeat each Value))) in
      make(row.key, repeat each row.values)
    }
  }
}

extension MagicSelection {
  fileprivate func map<Other>(
    _ make: @escaping @Sendable (Row) -> Other
  ) -> MagicSelection<Model, Other, Source> {
    MagicSelection<Model, Other, Source>(
      plan: plan, source: source,
      reader: reader.map { reader in
        RowReader(width: reader.width) { make(try reader.read($0, $1, $2)) }
      })
  }
}
