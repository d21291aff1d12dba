/// The parts of an index that are not columns.
package struct ComputedIndex: Sendable {
  /// The expressions whose values are indexed, in order. Empty for an index over columns.
  package let expressions: [any IndexExpression]
  /// The condition of the rows that the index contains; nil if it contains all rows.
  package let predicate: (any IndexExpression)?

  package init(expressions: [any IndexExpression], predicate: (any IndexExpression)?) {
    self.expressions = expressions
    self.predicate = predicate
  }
}

/// An expression of an index, or the predicate of a partial index.
package protocol IndexExpression: Sendable {
  /// The expression as SQL. Constants are literals, and names of columns are quoted.
  var definition: String { get }
}
