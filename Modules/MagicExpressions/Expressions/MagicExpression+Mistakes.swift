import MagicEngine
public import MagicSchema
public import Magical

// Declarations that only make the compiler's errors for mistakes name the mistake. Using one of
// them is an error.

extension MagicRow {
  /// Reports a property without `$`.
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "write '$' before the name of the property, as in '$0.$name'"
  )
  @_disfavoredOverload
  public subscript<Value: Magical>(
    dynamicMember path: KeyPath<Model, Value>
  ) -> MagicExpression<Model, Value> { MagicExpression(QueryExpression(tree: .null)) }

  /// Reports an optional property without `$`.
  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "write '$' before the name of the property, as in '$0.$name'"
  )
  @_disfavoredOverload
  public subscript<Value: Magical>(
    dynamicMember path: KeyPath<Model, Value?>
  ) -> MagicExpression<Model, Value?> { MagicExpression(QueryExpression(tree: .null)) }
}

extension MagicExpression {
  /// Reports a count of a value that has none.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "only texts and collections have a count")
  @_disfavoredOverload
  public var count: MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(QueryExpression(tree: .null))
  }
}

extension MagicExpression where Value: MagicText {
  /// Reports a method or property that expressions do not have.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "expressions have no such method; texts have hasPrefix, contains, like, trimmed, prefix"
  )
  public subscript(dynamicMember name: String) -> _MagicUnknownMethod<Model> {
    _MagicUnknownMethod()
  }
}

/// The result of calling a method that expressions do not have.
@_documentation(visibility: internal)
@dynamicCallable
public struct _MagicUnknownMethod<Model: MagicObject>: Sendable {
  /// Returns a predicate, so that the rest of the query is checked.
  public func dynamicallyCall(withKeywordArguments: KeyValuePairs<String, Any>) -> MagicPredicate<
    Model
  > {
    MagicPredicate(QueryExpression(tree: .null))
  }
}

extension MagicExpression where Value: MagicalCodable {
  /// Reports a member of a value that is stored as JSON.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "the value is stored as JSON; read a member by its key: '$0.$job[json: \"title\", as: String.self]'"
  )
  @_disfavoredOverload
  public subscript<Member>(
    dynamicMember member: KeyPath<Value, Member>
  ) -> MagicExpression<Model, Member> {
    MagicExpression<Model, Member>(QueryExpression(tree: .null))
  }
}

extension MagicExpression {
  /// Reports a member of an optional value that is stored as JSON.
  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message:
      "the value is stored as JSON; read a member by its key: '$0.$job[json: \"title\", as: String.self]'"
  )
  @_disfavoredOverload
  public subscript<Wrapped: MagicalCodable, Member>(
    dynamicMember member: KeyPath<Wrapped, Member>
  ) -> MagicExpression<Model, Member?> where Value == Wrapped? {
    MagicExpression<Model, Member?>(QueryExpression(tree: .null))
  }
}
