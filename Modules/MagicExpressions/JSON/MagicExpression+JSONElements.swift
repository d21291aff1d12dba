import MagicEngine
public import Magical
import MagicSchema

/// Conditions on the elements of arrays and sets that are stored as JSON. The closure gets an element
/// as an expression.
///
/// ```swift
/// let workers = magic.query(Worker.self)
///
/// let found = try await workers.where { $0.$skills.contains { $0.hasPrefix("Sw") } }.count()
/// ```
///
/// The database reads the JSON of each row: no index is used. Elements can be texts, numbers, `Bool`,
/// `Date`, `UUID`, `URL`, enumerations of these, and values that are stored as JSON themselves, whose
/// members are read by their coding keys. The query throws `.invalidQuery` for other types.
extension MagicExpression where Value: MagicJSONValues, Value.Element: Magical {
  /// Whether the predicate is true for at least one element; false for nil.
  @_disfavoredOverload
  public func contains(
    _ predicate: (MagicExpression<Model, Value.Element>) -> MagicPredicate<Model>
  ) -> MagicPredicate<Model> {
    MagicPredicate(elements(.exists, predicate))
  }

  /// Whether the predicate is true for no element; true for nil.
  @_disfavoredOverload
  public func none(
    _ predicate: (MagicExpression<Model, Value.Element>) -> MagicPredicate<Model>
  ) -> MagicPredicate<Model> {
    !contains(predicate)
  }

  /// Whether the predicate is true for every element; true for nil, and if there are no elements.
  @_disfavoredOverload
  public func allSatisfy(
    _ predicate: (MagicExpression<Model, Value.Element>) -> MagicPredicate<Model>
  ) -> MagicPredicate<Model> {
    MagicPredicate(.not(elements(.exists) { !predicate($0) }))
  }

  /// Returns the number of elements for which the predicate is true; 0 for nil.
  @_disfavoredOverload
  public func count(
    _ predicate: (MagicExpression<Model, Value.Element>) -> MagicPredicate<Model>
  ) -> MagicExpression<Model, Int> {
    MagicExpression<Model, Int>(elements(.count, predicate))
  }

  private func elements(
    _ function: MemberFunction,
    _ predicate: (MagicExpression<Model, Value.Element>) -> MagicPredicate<Model>
  ) -> QueryExpression {
    guard Value.Element.self != UInt8.self else { return Self.bytes }
    guard let kind = ValueForm(Value.Element.self).jsonKind(Value.Element.self) else {
      return Self.otherJSON
    }
    let scope = RowScopeID.newMember()
    let element = MagicExpression<Model, Value.Element>(
      QueryExpression(tree: .element(scope, kind)))
    return .elements(function, of: untyped, matching: scope, predicate(element).untyped)
  }
}

extension MagicExpression where Value: MagicJSONValues {
  /// Reports an element of another type.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the value is not of the type of the elements")
  @_disfavoredOverload
  public func contains<Other: Magical>(_ element: Other) -> MagicPredicate<Model> {
    MagicPredicate(QueryExpression(tree: .null))
  }
}

extension MagicExpression {
  package static var otherJSON: QueryExpression {
    QueryExpression(
      MagicError(
        .invalidQuery,
        "The column values of this type are not the JSON of a member. Read a text, a number, "
          + "Bool, Date, or a type that is stored as JSON."))
  }
}

/// A dictionary with texts as keys, for constraints.
public protocol _MagicJSONDictionary {
  /// The type of the values.
  associatedtype JSONMember: Codable
}

extension Dictionary: _MagicJSONDictionary where Key == String, Value: Codable {
  /// The type of the values.
  public typealias JSONMember = Value
}

extension MagicExpression where Value: _MagicJSONDictionary {
  /// The values of a dictionary: `$0.$sizes.values.contains { $0 > 3 }`.
  @_disfavoredOverload
  public var values: MagicExpression<Model, [String: Value.JSONMember].Values> {
    MagicExpression<Model, [String: Value.JSONMember].Values>(untyped)
  }
}
