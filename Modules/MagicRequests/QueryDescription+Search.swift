package import MagicSchema

extension QueryDescription {
  /// Restricts the query to the rows that a search finds.
  package mutating func search(for text: TextSearch) {
    if search != nil {
      error =
        error
        ?? MagicError(
          .invalidQuery,
          "A query is matched with two searches. Use matches(_:) in a condition for one of them.")
    }
    search = text
  }

  /// The same query ordered by descending scores, if it has a search and no other order.
  package func ranked(of schema: ObjectSchema) -> QueryDescription {
    guard search != nil, orders.isEmpty, !isRandom,
      limitsRowsFirst || (groups.isEmpty && !isDistinct)
    else { return self }
    var plan = self
    let score = QueryExpression(tree: .column(.score(of: schema, in: .root)))
    plan.orders = [SortTerm(score, isDescending: true)]
    return plan
  }

  /// The same query in the order of its scores, if the result depends on the order.
  func rankedBySearch(of schema: ObjectSchema, _ result: QueryResult) -> QueryDescription {
    switch result {
    case .objects, .page, .tuples: ranked(of: schema)
    case .count, .exists: self
    default: hasLimitOrOffset ? ranked(of: schema) : self
    }
  }

  /// The error of a subquery with a search whose limit would not apply to the best rows, because
  /// its rows have no scores; nil if there is none.
  ///
  /// - Parameter isPartitioned: whether the limit is that of the rows of each partition.
  func searchMistake(
    _ function: MemberFunction, isPartitioned: Bool, in schema: ObjectSchema
  ) -> MagicError? {
    guard search != nil, hasLimitOrOffset, orders.isEmpty, !isRandom, !isPartitioned,
      function != .exists, function != .count
    else { return nil }
    return MagicError(
      .invalidQuery,
      "A search in a subquery, a joined query or a set operation has a limit, but no order. Add an "
        + "order, because such rows have no scores.", type: schema.typeName)
  }

  /// The same query with its search as a part of the filter, for a query without scores.
  func withSearchInFilter(of schema: ObjectSchema) -> QueryDescription {
    guard let search else { return self }
    var plan = self
    plan.search = nil
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .innermost)))
    plan.filter = .matches(schema, row: rowID, search.text)
    if let filter { plan.restrict(to: filter) }
    return plan
  }
}

extension MagicError {
  /// The error of a search in a type without texts.
  package static func nothingSearchable(_ schema: ObjectSchema) -> MagicError {
    MagicError(
      .invalidQuery,
      "The type has no searchable property. Declare one with @MagicValue(.searchable).",
      type: schema.typeName)
  }
}

extension QueryExpression {
  /// Returns whether the search index of a type finds a row.
  ///
  /// - Parameters:
  ///   - row: the row ID of a row of the type.
  ///   - text: a text in the syntax of searches.
  package static func matches(
    _ schema: ObjectSchema, row: QueryExpression, _ text: QueryExpression
  ) -> QueryExpression {
    guard schema.search != nil else {
      return QueryExpression(MagicError.nothingSearchable(schema))
    }
    return .function(.matches(type: schema.ordinal), row, text)
  }
}
