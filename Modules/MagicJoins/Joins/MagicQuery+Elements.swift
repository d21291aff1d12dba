import MagicEngine
public import MagicQuery
public import Magical
import MagicSchema

/// The elements of arrays, sets and dictionary values that are stored as JSON, one in each row.
///
/// ```swift
/// // The number of workers with each skill, the most popular first.
/// let popular = try await magic.query(Worker.self)
///   .grouped(byEach: \.$skills)
///   .order(.descending) { $0.count }
///   .count()  // [(key: String, count: Int)]
/// ```
///
/// A row without elements is not in the result. An element that an array contains twice is in two
/// rows. The database reads the JSON of each row: no index is used. Elements can be of the types that
/// conditions on elements can have; the query throws `.invalidQuery` for other types.
extension MagicQuery {
  /// Combines each row with each of its elements.
  ///
  /// ```swift
  /// let found = try await magic.query(Worker.self)
  ///   .each(\.$skills)
  ///   .where { worker, skill in skill.hasPrefix("S") && worker.$rank == .master }
  ///   .select { worker, skill in (worker.$number, skill) }
  ///   .all()  // [(Int, String)]
  /// ```
  public func each<Values: MagicJSONValues>(
    _ path: MagicPath<Model, Values>
  ) -> MagicJoin<Model, MagicExpression<Model, Values.Element>, Source>
  where Values.Element: Magical {
    each { $0[dynamicMember: path] }
  }

  /// Combines each row with each element of the expression that the closure returns.
  public func each<Values: MagicJSONValues>(
    _ expression: (MagicRow<Model>) -> MagicExpression<Model, Values>
  ) -> MagicJoin<Model, MagicExpression<Model, Values.Element>, Source>
  where Values.Element: Magical {
    var plan = joinable
    let row: MagicRow<Model> = plan.row()
    let scope = RowScopeID.newMember()
    let (json, element) = expression(row).joinedElement(scope)
    plan.join = RowJoin(.elements(of: json), scope: scope)
    return MagicJoin(plan, source: source, row: row, other: element)
  }

  /// Groups the elements of a property by their values. The rows of a group are the rows that have
  /// the element.
  public func grouped<Values: MagicJSONValues>(
    byEach path: MagicPath<Model, Values>
  ) -> MagicGroups<Model, Values.Element, Source> where Values.Element: Magical {
    each(path).grouped { $1 }
  }

  /// Groups the elements of an expression by their values.
  public func grouped<Values: MagicJSONValues>(
    byEach expression: (MagicRow<Model>) -> MagicExpression<Model, Values>
  ) -> MagicGroups<Model, Values.Element, Source> where Values.Element: Magical {
    each(expression).grouped { $1 }
  }
}

extension MagicExpression where Value: MagicJSONValues, Value.Element: Magical {
  /// Returns the JSON, and an element of it as an expression.
  fileprivate func joinedElement(
    _ scope: RowScopeID
  ) -> (json: QueryExpression, element: MagicExpression<Model, Value.Element>) {
    let refusal: QueryExpression
    switch ValueForm(Value.Element.self).jsonKind(Value.Element.self) {
    case nil where Value.Element.self is any MagicObject.Type:
      refusal = QueryExpression(
        MagicError(
          .invalidQuery,
          "The elements of a relationship are objects. Combine the rows with the objects: "
            + "joined(with:on:)."))
    case nil: refusal = Self.otherJSON
    case .some where Value.Element.self == UInt8.self: refusal = Self.bytes
    case let kind?:
      return (
        untyped, MagicExpression<Model, Value.Element>(QueryExpression(tree: .element(scope, kind)))
      )
    }
    return (refusal, MagicExpression<Model, Value.Element>(refusal))
  }
}
