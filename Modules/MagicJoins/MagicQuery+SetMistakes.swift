import MagicEngine
public import MagicQuery
public import MagicSchema

// Declarations that only make the compiler's errors for mistakes name the mistake. Using one of
// them is an error.

extension MagicQuery {
  /// Reports a query of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a query of the same type that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func union<Other: MagicObject, Bound>(_ other: MagicQuery<Other, Bound>) -> Self { self }

  /// Reports a query of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a query of the same type that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func intersect<Other: MagicObject, Bound>(_ other: MagicQuery<Other, Bound>) -> Self {
    self
  }

  /// Reports a query of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a query of the same type that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func except<Other: MagicObject, Bound>(_ other: MagicQuery<Other, Bound>) -> Self { self }

  /// Reports a query that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "pass a query that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func joined<Joined: MagicObject, Bound>(
    with query: MagicQuery<Joined, Bound>,
    on condition: (MagicRow<Model>, MagicJoinedRow<Model, Joined>) -> MagicPredicate<Model>
  ) -> MagicJoin<Model, MagicJoinedRow<Model, Joined>, Source> {
    joined(with: Joined.self, on: condition)
  }
}

extension MagicSelection {
  /// Reports a selection with rows of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a selection with rows of the same type, of a query that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func union<Other: MagicObject, OtherRow, Bound>(
    _ other: MagicSelection<Other, OtherRow, Bound>
  ) -> MagicCombinedSelection<Row, Source> { MagicCombinedSelection(self) }

  /// Reports a selection with rows of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a selection with rows of the same type, of a query that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func intersect<Other: MagicObject, OtherRow, Bound>(
    _ other: MagicSelection<Other, OtherRow, Bound>
  ) -> MagicCombinedSelection<Row, Source> { MagicCombinedSelection(self) }

  /// Reports a selection with rows of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a selection with rows of the same type, of a query that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func except<Other: MagicObject, OtherRow, Bound>(
    _ other: MagicSelection<Other, OtherRow, Bound>
  ) -> MagicCombinedSelection<Row, Source> { MagicCombinedSelection(self) }
}
