import MagicEngine
package import MagicSchema

/// Set operations with another query of the same type.
///
/// ```swift
/// let adults = MagicQuery(Person.self).where(\.$age >= 18)
/// let oldest = MagicQuery(Person.self).order(by: \.$age, .descending).limit(10)
///
/// let chosen = try await magic.query(Person.self)
///   .where(\.$petName != nil)
///   .union(oldest)
///   .except(adults)
///   .order(by: \.$name)
///   .all()
/// ```
///
/// An object is found once. The order, and the relationships to load, are those of the query that the
/// method is called on, and of what follows. Both queries may have a limit, with an order that decides
/// which objects they find. The result is a query like any other: it is limited, counted, observed,
/// deleted, and combined again; only `depth` is unknown in it. The database runs all of it as one
/// statement.
extension MagicQuery {
  /// Returns the query for the objects that this query finds, or the other one, or both.
  public func union(_ other: MagicQuery<Model, MagicUnbound>) -> Self {
    combined(with: other) { .or($0, $1) }
  }

  /// Returns the query for the objects that both queries find.
  public func intersect(_ other: MagicQuery<Model, MagicUnbound>) -> Self {
    combined(with: other) { .and($0, $1) }
  }

  /// Returns the query for the objects that this query finds, and the other one does not.
  public func except(_ other: MagicQuery<Model, MagicUnbound>) -> Self {
    combined(with: other) { .and($0, .not($1)) }
  }

  private func combined(
    with other: MagicQuery<Model, MagicUnbound>,
    _ operation: (QueryExpression, QueryExpression) -> QueryExpression
  ) -> Self {
    with { plan in
      do {
        let schema = try ObjectSchema.of(Model.self)
        if let error = other.plan.error { throw error }
        let rows = plan.condition(of: schema)
        let others = other.plan.condition(of: schema)
        plan.become(operation(rows, others), scopes: other.plan.rowScopes ?? [])
      } catch {
        plan.error = plan.error ?? QueryExpression(error).error
      }
    }
  }
}

extension QueryDescription {
  /// The condition for the rows that the query finds.
  ///
  /// A query without a limit finds the rows for which its filter is true. Otherwise the condition is
  /// that the row is one of those of a subquery.
  package func condition(of schema: ObjectSchema) -> QueryExpression {
    let rowID = QueryExpression(
      tree: .column(ColumnPath.rowID(of: schema, in: .innermost)))
    guard restrictsRowsBesidesFilter else { return filter ?? .isNotNull(rowID) }
    return subquery(.includes, in: schema, selection: rowID, operand: rowID)
  }

  private var restrictsRowsBesidesFilter: Bool {
    hasLimitOrOffset || traversal != nil || search != nil
  }

  /// Replaces what decides which rows the query finds by a condition.
  package mutating func become(_ condition: QueryExpression, scopes: [RowScopeID]) {
    filter = condition
    (traversal, search) = (nil, nil)
    limit = nil
    offset = nil
    // The closures of both queries describe the row of the combined one.
    if !scopes.isEmpty || rowScopes != nil { rowScopes = (rowScopes ?? []) + scopes }
  }
}
