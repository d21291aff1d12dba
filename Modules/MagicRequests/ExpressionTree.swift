package import MagicRuntime
package import MagicSchema

/// An expression of a query, as a tree.
///
/// The values of the expression are not in the tree. They form a list in the order of a tree walk:
/// first the values of the operands from left to right, then the values of the operation itself.
/// So queries that differ only in values have equal trees.
///
/// Each indirect case is one allocation: a comparison of a column with a value is one allocation,
/// because the operands are stored inline in its box. A flat array of nodes would need one
/// allocation for each operand.
package enum ExpressionTree: Sendable {
  case column(ColumnPath)
  /// A value of the query.
  case value
  case null
  /// The conjunction of the operands.
  case and([ExpressionTree])
  /// The disjunction of the operands.
  case or([ExpressionTree])
  indirect case not(ExpressionTree)
  indirect case comparison(ComparisonOperator, ExpressionTree, ExpressionTree)
  indirect case isNull(ExpressionTree)
  indirect case isNotNull(ExpressionTree)
  indirect case arithmetic(ArithmeticOperator, ExpressionTree, ExpressionTree)
  indirect case negative(ExpressionTree)
  /// A test of a text with one value, or with two values for ``TextTest/prefixRange``.
  indirect case textTest(TextTest, ExpressionTree)
  indirect case textFunction(TextFunction, ExpressionTree)
  /// Whether the first operand is between the second and the third, both inclusive.
  indirect case between(ExpressionTree, ExpressionTree, ExpressionTree)
  /// Whether the operand equals an element of a list. The list is one value of the query.
  indirect case inList(ExpressionTree)
  /// A function of values.
  case function(ScalarFunction, [ExpressionTree])
  /// A function of the members of a collection or of an inverse relationship.
  indirect case members(MemberFunction, of: ColumnPath, matching: MemberPredicate?)
  /// A function of the rows of a subquery. The operand is the value that
  /// ``MemberFunction/includes`` searches for.
  indirect case subquery(MemberFunction, Subquery, ExpressionTree?)
  /// A function of the elements of a JSON array, or of the values of a JSON object.
  indirect case elements(MemberFunction, of: ExpressionTree, matching: MemberPredicate)
  /// The value of the element that a condition on elements is about, if it is of a kind.
  case element(RowScopeID, JSONKind)
  /// A condition in the engine's dialect.
  indirect case fragment(SQLFragment)
  /// The number of rows.
  case rowCount
  indirect case aggregate(AggregateFunction, of: ExpressionTree)
  /// A text of the values of a group of rows, with a separator, which is a value of the query.
  indirect case joined(ExpressionTree)
  /// A function of the rows of the result around a row, with its operand.
  indirect case window(WindowFunction, of: ExpressionTree?, Window)
  /// The value of a computed key of groups, by its index in the selection.
  case selected(Int)
}

package enum ComparisonOperator: Int, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

package enum ArithmeticOperator: Int, Sendable {
  case add, subtract, multiply, divide
  /// The remainder of a division of integers.
  case remainder

  /// The operator in SQL, and in Swift.
  package var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }
}

/// The tests of texts. All of them compare code points, except ``pattern``, which ignores the case
/// of the letters A to Z.
package enum TextTest: Int, Sendable {
  /// The text equals the value or sorts after it. Used for prefixes without an upper bound, that
  /// is, if no text sorts after all texts with the prefix.
  case prefix
  /// The text begins with the first value. The second value is the exclusive upper bound of the
  /// texts with this prefix.
  case prefixRange
  /// The text ends with the value, compared as UTF-8.
  case suffix
  case substring
  /// The text matches a LIKE pattern with `\` as the escape character.
  case pattern
  /// The text matches a GLOB pattern: `*` matches any text, `?` any character, and `[c]` the
  /// character `c`. It is case-sensitive.
  case exactPattern
}

/// Functions of texts, which have the results of the methods of `String`.
package enum TextFunction: Int, Sendable {
  case lowercased, uppercased
  /// The letters A to Z in lower case.
  case asciiLowercased
}

/// A function of the members of a collection, or of the rows of a subquery.
package enum MemberFunction: Hashable, Sendable {
  /// Whether there is a member.
  case exists
  /// The number of members.
  case count
  /// Whether an object, which is a value of the query, is a member.
  case includes
  /// The selected value of the first row of a subquery; NULL if there is no row.
  case first
  /// An aggregate of an expression that is computed for each member.
  case sum, minimum, maximum, average, distinctCount
  /// The percentile of the values, as in ``AggregateFunction/percentile(_:)``.
  case percentile(Double)
  /// A text of the values of an expression, with a separator, which is a value of the query.
  case joined

  /// Whether the function computes an expression for each member.
  package var isAggregate: Bool { aggregate != nil || self == .joined }

  /// The aggregate, or nil for another function.
  package var aggregate: AggregateFunction? {
    switch self {
    case .exists, .count, .includes, .first, .joined: nil
    case .distinctCount: .distinctCount
    case .sum: .sum
    case .minimum: .minimum
    case .maximum: .maximum
    case .average: .average
    case .percentile(let fraction): .percentile(fraction)
    }
  }
}

/// A condition on the members of a collection, or the expression of an aggregate.
package struct MemberPredicate: Sendable {
  /// The identity of the member in the condition.
  package let scope: RowScopeID
  package let condition: ExpressionTree
}

package enum AggregateFunction: Hashable, Sendable {
  case sum, minimum, maximum, average
  /// The number of distinct values.
  case distinctCount
  /// The number below which a part of the values is: 0.5 is the median. Between two values it is
  /// interpolated.
  case percentile(Double)
}

/// A query of the rows of any type, as a part of an expression. Its conditions can use the rows of
/// the queries that contain it.
///
/// Its values are in the order of its parts: traversal, selection, filter, partition, sort order,
/// limit and
/// offset.
package struct Subquery: Sendable {
  package let schema: ObjectSchema
  /// The identities of its row.
  package let rowScopes: [RowScopeID]
  /// The rows to which the subquery is restricted, besides the filter.
  package let traversal: TraversalTree?
  /// The value that is computed for each row; nil if the rows are only counted.
  package let selection: ExpressionTree?
  package let filter: ExpressionTree?
  package let orders: [ExpressionTree.SortTerm]
  /// If it is not nil, the limit is a number of rows for each combination of these values.
  package let partition: [ExpressionTree]?
  /// Whether the row of the subquery is the root of its expressions: it is a part of the query itself
  /// and uses no row of another query.
  package let isRoot: Bool
  package let isRandom: Bool
  package let hasLimit: Bool
  package let hasOffset: Bool

  package var hasLimitOrOffset: Bool { hasLimit || hasOffset }

  /// The properties that are not expressions, as bits.
  var flags: Int {
    (isRandom ? 1 : 0) | (hasLimit ? 2 : 0) | (hasOffset ? 4 : 0) | (partition == nil ? 0 : 8)
      | (isRoot ? 16 : 0)
  }
}

/// The rows or groups over which a window function is computed, relative to a row of the result.
package struct Window: Sendable {
  /// The rows with equal values of these expressions are a partition. Empty: all rows are one.
  package let partition: [ExpressionTree]
  package let orders: [ExpressionTree.SortTerm]
  package let frame: WindowFrame?

  package init(
    partition: [ExpressionTree], orders: [ExpressionTree.SortTerm], frame: WindowFrame? = nil
  ) {
    (self.partition, self.orders, self.frame) = (partition, orders, frame)
  }
}

extension ExpressionTree {
  /// An expression by which rows or groups are sorted.
  package struct SortTerm: Sendable {
    package let tree: ExpressionTree
    package let isDescending: Bool
  }
}
