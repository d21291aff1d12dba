import MagicEngine
public import MagicSchema

/// A key path to a property, `\Person.$name`, or to a property of the object that a to-one
/// relationship refers to, `\Playlist.$owner.$name`.
public typealias MagicPath<Model: MagicObject, Value> =
  any KeyPath<Model, MagicField<Value>> & Sendable

/// A value that the database computes from a row: a property, a comparison, a sum.
///
/// ```swift
/// let people = magic.query(Person.self)
///
/// let shouted = try await people.select { ($0.$name.uppercased(), $0.$age + 1) }.all()
/// ```
///
/// Expressions are built from key paths and operators, or in a closure with a ``MagicRow`` as its
/// argument. Building an expression never throws: an error in it is thrown when the query runs.
@dynamicMemberLookup
public struct MagicExpression<Model: MagicObject, Value>: Sendable {
  /// The expression without its types.
  package let untyped: QueryExpression

  package init(_ untyped: QueryExpression) { self.untyped = untyped }

  /// Creates an expression for a property, with another Swift type that has the same stored form.
  package init<Other>(_ path: MagicPath<Model, Other>, as type: Value.Type) {
    untyped = QueryExpression(path)
  }

  /// Creates a copy of an expression with another Swift type that has the same stored form.
  package init<Other>(_ expression: MagicExpression<Model, Other>, as type: Value.Type) {
    untyped = expression.untyped
  }

  /// Returns a property of the object that this to-one relationship refers to.
  package func property<Target: MagicObject, Member, Result>(
    _ member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Result> {
    MagicExpression<Model, Result>(.property(QueryExpression(member), of: untyped))
  }
}

/// An expression that is true or false for each row.
public typealias MagicPredicate<Model: MagicObject> = MagicExpression<Model, Bool>

/// A row of a query, as the argument of a closure: `{ $0.$name.hasPrefix("A") }`. Its members are
/// the properties of the type, as expressions.
@dynamicMemberLookup
public struct MagicRow<Model: MagicObject>: Sendable {
  package let scope: RowScopeID

  package init(scope: RowScopeID) { self.scope = scope }

  /// A property of the row.
  public subscript<Value>(
    dynamicMember path: MagicPath<Model, Value>
  ) -> MagicExpression<Model, Value> {
    MagicExpression(QueryExpression(path, scope: scope))
  }

  /// The row ID of the row.
  public var zIndex: MagicExpression<Model, ZIndex> {
    do {
      let schema = try ObjectSchema.of(Model.self)
      return MagicExpression(QueryExpression(tree: .column(.rowID(of: schema, in: scope))))
    } catch {
      return MagicExpression(QueryExpression(error))
    }
  }
}

/// Properties of related objects: `{ $0.$owner.$name == "Ada" }`.
extension MagicExpression {
  /// A property of the object that the to-one relationship refers to.
  public subscript<Member>(
    dynamicMember member: MagicPath<Value, Member>
  ) -> MagicExpression<Model, Member> where Value: MagicObject {
    property(member)
  }

  /// A property of the object that the optional to-one relationship refers to; nil if the
  /// relationship is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member?> where Value == Target? {
    property(member)
  }

  /// An optional property of the object that the optional to-one relationship refers to; nil if the
  /// relationship or the property is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member?>
  ) -> MagicExpression<Model, Member?> where Value == Target? {
    property(member)
  }
}
