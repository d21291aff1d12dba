/// What a query computes of a row, as a tree.
///
/// The values that it is given are not in the tree: they form a list, in the order in which the
/// tree is walked, operands from left to right and then the values of the operation itself. So
/// queries that differ in values alone have equal trees.
///
/// An enumeration with a box for each operation: a comparison of a column with a value is one
/// allocation, as its operands lie in its box. A flat array of nodes needs one for each operand.
package enum ExpressionTree: Sendable {
  case column(ColumnPath)
  /// A value that the query is given.
  case value
  case null
  /// All of them are true.
  case and([ExpressionTree])
  /// One of them is true.
  case or([ExpressionTree])
  indirect case not(ExpressionTree)
  indirect case comparison(ComparisonOperator, ExpressionTree, ExpressionTree)
  indirect case isNull(ExpressionTree)
  indirect case isNotNull(ExpressionTree)
  indirect case arithmetic(ArithmeticOperator, ExpressionTree, ExpressionTree)
  indirect case negative(ExpressionTree)
  /// A test of a text with one value, but for ``TextTest/prefixRange`` with two.
  indirect case textTest(TextTest, ExpressionTree)
  indirect case textFunction(TextFunction, ExpressionTree)
  /// The first lies between the second and the third or equals one of them.
  indirect case between(ExpressionTree, ExpressionTree, ExpressionTree)
  /// It equals one of the values of a list, which is one value of the query.
  indirect case inList(ExpressionTree)
  /// What is asked of the members of a collection or of an inverse relationship.
  indirect case members(MemberFunction, of: ColumnPath, matching: MemberPredicate?)
  /// The number of rows.
  case rowCount
  indirect case aggregate(AggregateFunction, of: ExpressionTree)
}

package enum ComparisonOperator: Int, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

package enum ArithmeticOperator: Int, Sendable {
  case add, subtract, multiply, divide
}

/// Tests of texts; all compare code points.
package enum TextTest: Int, Sendable {
  /// The text is the value or is ordered behind it: all texts with a prefix behind which there is
  /// no text.
  case prefix
  /// The text begins with the first value. The second is the first text behind all that do.
  case prefixRange
  /// The text ends with the value, compared by their UTF-8.
  case suffix
  case substring
  /// The text matches a LIKE pattern with `\` as the escape character.
  case pattern
}

/// Functions of texts, which convert the letters A to Z alone.
package enum TextFunction: Int, Sendable {
  case lowercased, uppercased
}

package enum MemberFunction: Int, Sendable {
  /// There is a member.
  case exists
  /// How many members there are.
  case count
  /// A value, which is an object, is a member.
  case includes
}

/// A condition for the members of a collection.
package struct MemberPredicate: Sendable {
  /// Names the member in the condition.
  package let scope: RowScopeID
  package let condition: ExpressionTree
}

package enum AggregateFunction: Int, Sendable {
  case sum, minimum, maximum, average
}
