import MagicEngine
public import MagicSchema

// Declarations that only make the compiler's errors for mistakes name the mistake. Using one of
// them is an error.

extension MagicExpression {
  /// Reports a selection of values of another type, or of a query that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "select values of the same type, of a query that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func `in`<Other: MagicObject, Row, Source>(
    _ selection: MagicSelection<Other, Row, Source>
  ) -> MagicPredicate<Model> {
    MagicPredicate(QueryExpression(tree: .null))
  }

  /// Reports a query for objects of another type, or one that is bound to a database.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "pass a query for the type of the relationship that is not bound to a database: 'MagicQuery(Person.self)'"
  )
  @_disfavoredOverload
  public func `in`<Other: MagicObject, Source>(
    _ query: MagicQuery<Other, Source>
  ) -> MagicPredicate<Model> {
    MagicPredicate(QueryExpression(tree: .null))
  }
}
