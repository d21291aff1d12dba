import MagicEngine
public import MagicSchema

/// A key path to a property: `\Person.$name`, or across a to-one, `\Playlist.$owner.$name`.
public typealias MagicPath<Model: MagicObject, Value> =
  any KeyPath<Model, MagicField<Value>> & Sendable

/// Something that the database computes of a row: a property, a comparison, a sum.
///
/// It is made of key paths and operators, or in a closure that is given a ``MagicRow``. Making one
/// never fails: what is wrong with it is thrown where the query runs.
@dynamicMemberLookup
public struct MagicExpression<Model: MagicObject, Value>: Sendable {
  /// The expression without its types.
  let untyped: QueryExpression

  init(_ untyped: QueryExpression) { self.untyped = untyped }

  /// The property that a key path refers to, as another type that is stored alike.
  package init<Other>(_ path: MagicPath<Model, Other>, as type: Value.Type) {
    untyped = QueryExpression(path)
  }

  /// The same as another type that is stored alike.
  package init<Other>(_ expression: MagicExpression<Model, Other>, as type: Value.Type) {
    untyped = expression.untyped
  }

  /// A property behind a to-one.
  package func property<Target: MagicObject, Member, Result>(
    _ member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Result> {
    MagicExpression<Model, Result>(.property(QueryExpression(member), of: untyped))
  }
}

/// An expression that is true or false of a row.
public typealias MagicPredicate<Model: MagicObject> = MagicExpression<Model, Bool>

/// A row of a query, in a closure: `{ $0.$name.hasPrefix("A") }`. Its members are the properties of
/// the type, as expressions.
@dynamicMemberLookup
public struct MagicRow<Model: MagicObject>: Sendable {
  let scope: RowScopeID

  /// A property of the row.
  public subscript<Value>(
    dynamicMember path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value> {
    MagicExpression(QueryExpression(path, scope: scope))
  }

  /// The key of the row.
  public var zIndex: MagicExpression<Model, ZIndex> {
    do {
      let schema = try ObjectSchema.of(Model.self)
      return MagicExpression(QueryExpression(tree: .column(.rowID(of: schema, in: scope))))
    } catch {
      return MagicExpression(QueryExpression(error))
    }
  }
}

/// Across to-ones: `{ $0.$owner.$name == "Ada" }`.
extension MagicExpression {
  /// A property of the object that the to-one refers to.
  public subscript<Member>(
    dynamicMember member: MagicPath<Value, Member>
  ) -> MagicExpression<Model, Member> where Value: MagicObject {
    property(member)
  }

  /// A property of the object that the to-one may refer to: nil where it refers to none.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member?> where Value == Target? {
    property(member)
  }

  /// An optional property of the object that the to-one may refer to: nil in either case.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member?>
  ) -> MagicExpression<Model, Member?> where Value == Target? {
    property(member)
  }
}
