package import MagicSchema

/// The operations of which expressions are built.
extension QueryExpression {
  package static func and(_ left: QueryExpression, _ right: QueryExpression) -> QueryExpression {
    QueryExpression(chain: left, left.tree.conjuncts, right, right.tree.conjuncts) { .and($0) }
  }

  package static func or(_ left: QueryExpression, _ right: QueryExpression) -> QueryExpression {
    QueryExpression(chain: left, left.tree.disjuncts, right, right.tree.disjuncts) { .or($0) }
  }

  package static func not(_ operand: QueryExpression) -> QueryExpression {
    QueryExpression(operand) { .not($0) }
  }

  package static func isNull(_ operand: QueryExpression) -> QueryExpression {
    QueryExpression(operand) { .isNull($0) }
  }

  package static func isNotNull(_ operand: QueryExpression) -> QueryExpression {
    QueryExpression(operand) { .isNotNull($0) }
  }

  package static func comparison(
    _ comparison: ComparisonOperator, _ left: QueryExpression, _ right: QueryExpression
  ) -> QueryExpression {
    QueryExpression(left, right) { .comparison(comparison, $0, $1) }
  }

  package static func arithmetic(
    _ operation: ArithmeticOperator, _ left: QueryExpression, _ right: QueryExpression
  ) -> QueryExpression {
    QueryExpression(left, right) { .arithmetic(operation, $0, $1) }
  }

  package static func negative(_ operand: QueryExpression) -> QueryExpression {
    QueryExpression(operand) { .negative($0) }
  }

  package static func textTest(
    _ test: TextTest, _ text: QueryExpression, _ values: [QueryValue]
  ) -> QueryExpression {
    QueryExpression(text, values: values) { .textTest(test, $0) }
  }

  package static func textFunction(
    _ function: TextFunction, _ text: QueryExpression
  ) -> QueryExpression {
    QueryExpression(text) { .textFunction(function, $0) }
  }

  package static func between(
    _ value: QueryExpression, _ low: QueryExpression, _ high: QueryExpression
  ) -> QueryExpression {
    QueryExpression(value, low, high) { .between($0, $1, $2) }
  }

  /// Returns whether the operand equals one of the values. The number of values is not limited.
  /// False for an empty list.
  package static func inList(
    _ operand: QueryExpression, _ values: [QueryValue]
  ) -> QueryExpression {
    QueryExpression(operand, values: [.list(values)]) { .inList($0) }
  }

  package static func function(
    _ function: ScalarFunction, _ operands: QueryExpression...
  ) -> QueryExpression {
    .function(function, operands)
  }

  package static func function(
    _ function: ScalarFunction, _ operands: [QueryExpression]
  ) -> QueryExpression {
    QueryExpression(operands) { .function(function, $0) }
  }

  /// Returns the text of the values of a group of rows. Values that are nil are left out.
  package static func joined(
    _ operand: QueryExpression, separator: String
  ) -> QueryExpression {
    QueryExpression(operand, values: [.text(separator)]) { .joined($0) }
  }

  package static func aggregate(
    _ function: AggregateFunction, of operand: QueryExpression
  ) -> QueryExpression {
    QueryExpression(operand) { .aggregate(function, of: $0) }
  }
}

/// Columns and relationships.
extension QueryExpression {
  /// Returns the property of the object that a to-one relationship refers to.
  package static func property(
    _ property: QueryExpression, of toOne: QueryExpression
  ) -> QueryExpression {
    guard toOne.error == nil else { return toOne }
    guard property.error == nil, case .column(let path) = property.tree else { return property }
    guard case .column(let start) = toOne.tree else {
      return QueryExpression(
        MagicError(.invalidQuery, "Only a to-one relationship has nested properties."))
    }
    let fullPath = start.appending(path)
    guard fullPath.toOnes.count < ColumnPath.lengthLimit else {
      return QueryExpression(
        MagicError(
          .invalidQuery, "The property path has more than 63 to-one relationships."))
    }
    return QueryExpression(tree: .column(fullPath))
  }

  package static func members(
    _ function: MemberFunction, of collection: QueryExpression, values: [QueryValue] = []
  ) -> QueryExpression {
    guard collection.error == nil else { return collection }
    guard case .column(let path) = collection.tree else { return malformed }
    return QueryExpression(collection, values: values) { _ in
      .members(function, of: path, matching: nil)
    }
  }

  /// - Parameter separator: the text between the values of `joined`.
  package static func members(
    _ function: MemberFunction, of collection: QueryExpression, matching scope: RowScopeID,
    _ predicate: QueryExpression, separator: String? = nil
  ) -> QueryExpression {
    guard collection.error == nil else { return collection }
    guard case .column(let path) = collection.tree else { return malformed }
    let operands = [collection, predicate] + (separator.map { [QueryExpression(.text($0))] } ?? [])
    return QueryExpression(operands) { trees in
      .members(
        function, of: path, matching: MemberPredicate(scope: scope, condition: trees[1]))
    }
  }

  /// Returns a function of the elements of a JSON array.
  package static func elements(
    _ function: MemberFunction, of json: QueryExpression, matching scope: RowScopeID,
    _ predicate: QueryExpression
  ) -> QueryExpression {
    QueryExpression(json, predicate) { json, condition in
      .elements(
        function, of: json, matching: MemberPredicate(scope: scope, condition: condition))
    }
  }

  private static var malformed: QueryExpression { QueryExpression(MagicError.malformedQuery) }
}

extension MagicError {
  package static var malformedQuery: MagicError {
    MagicError(.invalidQuery, "The query uses an expression of the wrong kind in this position.")
  }
}

extension ExpressionTree {
  fileprivate var conjuncts: [ExpressionTree]? {
    if case .and(let operands) = self { operands } else { nil }
  }

  fileprivate var disjuncts: [ExpressionTree]? {
    if case .or(let operands) = self { operands } else { nil }
  }
}
