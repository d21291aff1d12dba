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
  /// A condition in the engine's dialect.
  indirect case fragment(SQLFragment)
  /// The number of rows.
  case rowCount
  indirect case aggregate(AggregateFunction, of: ExpressionTree)
  /// A text of the values of a group of rows, with a separator, which is a value of the query.
  indirect case joined(ExpressionTree)
  /// The value of a selected expression, by its index. Used only as a whole sort term.
  case selected(Int)
}

package enum ComparisonOperator: Int, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

package enum ArithmeticOperator: Int, Sendable {
  case add, subtract, multiply, divide
  /// The remainder of a division of integers.
  case remainder
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
}

/// A function of the members of a collection, or of the rows of a subquery.
package enum MemberFunction: Int, Sendable {
  /// Whether there is a member.
  case exists
  /// The number of members.
  case count
  /// Whether an object, which is a value of the query, is a member.
  case includes
  /// The selected value of the first row of a subquery; NULL if there is no row.
  case first
  /// An aggregate of an expression that is computed for each member.
  case sum, minimum, maximum, average

  /// The aggregate, or nil for another function.
  package var aggregate: AggregateFunction? {
    switch self {
    case .exists, .count, .includes, .first: nil
    case .sum: .sum
    case .minimum: .minimum
    case .maximum: .maximum
    case .average: .average
    }
  }
}

/// A condition on the members of a collection, or the expression of an aggregate.
package struct MemberPredicate: Sendable {
  /// The identity of the member in the condition.
  package let scope: RowScopeID
  package let condition: ExpressionTree
}

package enum AggregateFunction: Int, Sendable {
  case sum, minimum, maximum, average
  /// The number of distinct values.
  case distinctCount
}

/// A query of the rows of any type, as a part of an expression. Its conditions can use the rows of
/// the queries that contain it.
///
/// Its values are in the order of its parts: selection, filter, sort order, limit and offset.
package struct Subquery: Sendable {
  package let schema: ObjectSchema
  /// The identities of its row.
  package let rowScopes: [RowScopeID]
  /// The value that is computed for each row; nil if the rows are only counted.
  package let selection: ExpressionTree?
  package let filter: ExpressionTree?
  package let orders: [ExpressionTree.SortTerm]
  package let isRandom: Bool
  package let hasLimit: Bool
  package let hasOffset: Bool

  package var hasLimitOrOffset: Bool { hasLimit || hasOffset }

  /// The properties that are not expressions, as bits.
  var flags: Int { (isRandom ? 1 : 0) | (hasLimit ? 2 : 0) | (hasOffset ? 4 : 0) }
}

extension ExpressionTree {
  /// An expression by which rows or groups are sorted.
  package struct SortTerm: Sendable {
    package let tree: ExpressionTree
    package let isDescending: Bool
  }
}
