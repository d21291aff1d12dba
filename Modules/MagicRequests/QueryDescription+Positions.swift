package import MagicSchema

extension QueryDescription {
  /// Restricts the query to the rows that are sorted after a row.
  ///
  /// - Parameters:
  ///   - values: the values by which the row is sorted. Their number is that of the sort terms, the
  ///     last of which decides between any two rows.
  ///   - includesRow: whether the row itself remains.
  package mutating func restrict(
    toRowsAfter values: [QueryValue], in schema: ObjectSchema, includesRow: Bool = false
  ) {
    let exact = condition(after: values, in: schema, includesRow)
    guard let bound = bound(values, in: schema) else { return restrict(to: exact) }
    restrict(to: .and(bound, exact))
  }

  /// Returns the queries for the rows that are sorted after a row: first those whose value of the
  /// first sort term is on the same side of the nulls, then the others, if there can be any.
  ///
  /// An index on the first sort term finds the beginning of each of them. One condition for all
  /// rows would be no range of an index.
  package func parts(
    after values: [QueryValue], in schema: ObjectSchema, includesRow: Bool = false
  ) -> [QueryDescription] {
    var first = self
    guard let order = orders.first, let value = values.first, order.expression.mayBeNull,
      value.isNull != order.isDescending
    else {
      first.restrict(toRowsAfter: values, in: schema, includesRow: includesRow)
      return [first]
    }
    var second = self
    if value.isNull {
      first.restrict(to: .isNull(order.expression))
      first.restrict(to: condition(after: values, in: schema, includesRow, skipping: 1))
      second.restrict(to: .isNotNull(order.expression))
    } else {
      first.restrict(to: .comparison(.lessOrEqual, order.expression, QueryExpression(value)))
      first.restrict(to: condition(after: values, in: schema, includesRow))
      second.restrict(to: .isNull(order.expression))
    }
    return [first, second]
  }

  /// The same query in the reverse order.
  package var reversed: QueryDescription {
    var plan = self
    plan.orders = orders.map { SortTerm($0.expression, isDescending: !$0.isDescending) }
    return plan
  }

  /// - Parameter count: the number of sort terms that are equal.
  private func condition(
    after values: [QueryValue], in schema: ObjectSchema, _ includesRow: Bool,
    skipping count: Int = 0
  ) -> QueryExpression {
    var condition: QueryExpression?
    for (value, order) in zip(values, orders).dropFirst(count).reversed() {
      guard condition != nil || !includesRow || order.expression.mayBeNull else {
        condition = order.from(value)
        continue
      }
      let same: QueryExpression =
        value.isNull
        ? .isNull(order.expression)
        : .comparison(.equal, order.expression, QueryExpression(value))
      let tie = condition.map { QueryExpression.and(same, $0) } ?? (includesRow ? same : nil)
      switch (order.after(value, in: schema), tie) {
      case (let after?, let tie?): condition = .or(after, tie)
      case (let after?, nil): condition = after
      case (nil, let tie): condition = tie ?? QueryExpression(QueryValue.null)
      }
    }
    return condition ?? QueryExpression(QueryValue.null)
  }

  /// Returns a redundant condition for the rows whose value of the first sort term is not before the
  /// given one, in addition to the exact condition, which has alternatives and so cannot be a range
  /// of an index; nil if there is none.
  private func bound(_ values: [QueryValue], in schema: ObjectSchema) -> QueryExpression? {
    guard let order = orders.first, let value = values.first, orders.count > 1, !value.isNull,
      !order.isDescending || !order.expression.mayBeNull
    else { return nil }
    return order.from(value)
  }
}

extension QueryDescription.SortTerm {
  /// Returns the condition for the rows whose value is after the given one, or nil if there are none.
  fileprivate func after(_ value: QueryValue, in schema: ObjectSchema) -> QueryExpression? {
    if isDescending {
      guard !value.isNull else { return nil }
      let less = QueryExpression.comparison(.less, expression, QueryExpression(value))
      return expression.mayBeNull ? .or(less, .isNull(expression)) : less
    }
    return value.isNull
      ? .isNotNull(expression) : .comparison(.greater, expression, QueryExpression(value))
  }

  /// Returns the condition for the rows whose value is the given one or after it. It must not be NULL.
  fileprivate func from(_ value: QueryValue) -> QueryExpression {
    .comparison(
      isDescending ? .lessOrEqual : .greaterOrEqual, expression, QueryExpression(value))
  }
}
