import MagicEngine
public import MagicQuery
public import MagicSchema

/// Rows of any type that match the rows of a query. No relationship is needed.
///
/// ```swift
/// // The pairs of colleagues with the same pay.
/// let pairs = try await magic.query(Colleague.self)
///   .joined(with: Colleague.self) { $0.$pay == $1.$pay && $0.zIndex < $1.zIndex }
///   .all()  // [(Colleague, Colleague)]
/// ```
///
/// An index on a property that the condition compares finds the matching rows. Rows that match no
/// other row are not in the result: `where { !other.exists { … } }` finds them.
extension MagicQuery {
  /// Combines each row with the rows of a type for which a condition is true.
  ///
  /// - Parameters:
  ///   - type: the type of the second row. It may be the type of the query.
  ///   - condition: returns the condition. Its arguments are the row of the query and the other row.
  public func joined<Joined: MagicObject>(
    with type: Joined.Type,
    on condition: (MagicRow<Model>, MagicJoinedRow<Model, Joined>) -> MagicPredicate<Model>
  ) -> MagicJoin<Model, MagicJoinedRow<Model, Joined>, Source> {
    joined(with: MagicQuery<Joined, MagicUnbound>(type), on: condition)
  }

  /// Combines each row with the rows that another query finds and for which a condition is true.
  public func joined<Joined: MagicObject>(
    with query: MagicQuery<Joined, MagicUnbound>,
    on condition: (MagicRow<Model>, MagicJoinedRow<Model, Joined>) -> MagicPredicate<Model>
  ) -> MagicJoin<Model, MagicJoinedRow<Model, Joined>, Source> {
    let other = MagicJoinedRow<Model, Joined>(scope: .newMember())
    var plan = joinable
    do {
      let schema = try ObjectSchema.of(Joined.self)
      plan.join = RowJoin(.rows(schema), scope: other.scope)
      if let error = query.plan.error { throw error }
      if query.plan.restrictsRows {
        let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .innermost)))
        plan.restrict(
          to: query.plan.subquery(
            .includes, in: schema, selection: rowID, operand: other.zIndex.untyped))
      }
    } catch {
      plan.error = plan.error ?? QueryExpression(error).error
    }
    let row: MagicRow<Model> = plan.row()
    return MagicJoin(plan, source: source, row: row, other: other)
      .where { condition($0, $1) }
  }

  /// The description of the query, whose limit applies to its own rows.
  var joinable: QueryDescription {
    var plan = plan
    do {
      if plan.hasLimitOrOffset { plan.become(try plan.condition(of: .of(Model.self)), scopes: []) }
    } catch {
      plan.error = plan.error ?? QueryExpression(error).error
    }
    return plan
  }
}

extension QueryDescription {
  /// Whether the query finds only some rows of its type.
  fileprivate var restrictsRows: Bool {
    filter != nil || traversal != nil || search != nil || hasLimitOrOffset
  }
}
