import MagicSchema

// Selections into a named type: the compiler checks the types of the expressions against the
// parameters of the initializer. There is a method for each number of parameters, because the
// compiler reports no useful error for a mismatch of parameter packs.

extension MagicQuery {
  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B>(
    into make: @escaping @Sendable (A, B) -> Row,
    _ expressions: (MagicRow<Model>) -> (MagicExpression<Model, A>, MagicExpression<Model, B>)
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B), Source> = select(expressions)
    return selection.map { make($0.0, $0.1) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  ///
  /// ```swift
  /// let prices = try await magic.query(Item.self)
  ///   .select(into: Revenue.init) { ($0.$category, $0.$price, $0.$quantity) }
  ///   .all()
  /// ```
  public func select<Row, A, B, C>(
    into make: @escaping @Sendable (A, B, C) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B, C, D>(
    into make: @escaping @Sendable (A, B, C, D) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C, D), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2, $0.3) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B, C, D, E>(
    into make: @escaping @Sendable (A, B, C, D, E) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C, D, E), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2, $0.3, $0.4) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B, C, D, E, F>(
    into make: @escaping @Sendable (A, B, C, D, E, F) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>, MagicExpression<Model, F>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C, D, E, F), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2, $0.3, $0.4, $0.5) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B, C, D, E, F, G>(
    into make: @escaping @Sendable (A, B, C, D, E, F, G) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>, MagicExpression<Model, F>,
      MagicExpression<Model, G>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C, D, E, F, G), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6) }
  }

  /// Selects the expressions that the closure returns, as the arguments of an initializer or
  /// function.
  public func select<Row, A, B, C, D, E, F, G, H>(
    into make: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Row,
    _ expressions: (MagicRow<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>, MagicExpression<Model, F>,
      MagicExpression<Model, G>, MagicExpression<Model, H>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (A, B, C, D, E, F, G, H), Source> = select(expressions)
    return selection.map { make($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7) }
  }
}

extension MagicGroups {
  /// Selects the key of each group and the expression that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A>(
    into make: @escaping @Sendable (Key, A) -> Row,
    _ expression: (MagicGroup<Model>) -> MagicExpression<Model, A>
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, value: A), Source> =
      select(expression)
    return selection.map { make($0.key, $0.value) }
  }

  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A, B>(
    into make: @escaping @Sendable (Key, A, B) -> Row,
    _ expressions: (MagicGroup<Model>) -> (MagicExpression<Model, A>, MagicExpression<Model, B>)
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (A, B)), Source> =
      select(expressions)
    return selection.map { make($0.key, $0.values.0, $0.values.1) }
  }

  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A, B, C>(
    into make: @escaping @Sendable (Key, A, B, C) -> Row,
    _ expressions: (MagicGroup<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (A, B, C)), Source> =
      select(expressions)
    return selection.map { make($0.key, $0.values.0, $0.values.1, $0.values.2) }
  }

  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A, B, C, D>(
    into make: @escaping @Sendable (Key, A, B, C, D) -> Row,
    _ expressions: (MagicGroup<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (A, B, C, D)), Source> =
      select(expressions)
    return selection.map { make($0.key, $0.values.0, $0.values.1, $0.values.2, $0.values.3) }
  }

  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A, B, C, D, E>(
    into make: @escaping @Sendable (Key, A, B, C, D, E) -> Row,
    _ expressions: (MagicGroup<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (A, B, C, D, E)), Source> =
      select(expressions)
    return selection.map {
      make($0.key, $0.values.0, $0.values.1, $0.values.2, $0.values.3, $0.values.4)
    }
  }

  /// Selects the key of each group and the expressions that the closure returns, as the arguments of
  /// an initializer or function. The first argument is the key: a tuple if there are several keys.
  public func select<Row, A, B, C, D, E, F>(
    into make: @escaping @Sendable (Key, A, B, C, D, E, F) -> Row,
    _ expressions: (MagicGroup<Model>) -> (
      MagicExpression<Model, A>, MagicExpression<Model, B>, MagicExpression<Model, C>,
      MagicExpression<Model, D>, MagicExpression<Model, E>, MagicExpression<Model, F>
    )
  ) -> MagicSelection<Model, Row, Source> {
    let selection: MagicSelection<Model, (key: Key, values: (A, B, C, D, E, F)), Source> =
      select(expressions)
    return selection.map {
      make($0.key, $0.values.0, $0.values.1, $0.values.2, $0.values.3, $0.values.4, $0.values.5)
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
        RowReader(objects: reader.objects) { make(try reader.read($0, $1, $2)) }
      })
  }
}
