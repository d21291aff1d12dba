import MagicEngine
import MagicSchema

/// Properties of type `Bool` that are conditions by themselves. They are rendered as comparisons with 1
/// or 0: so SQLite uses an index on the property, and a partial index whose predicate is such a
/// comparison.
extension QueryRenderer {
  /// Renders an expression as a condition.
  mutating func condition(_ tree: ExpressionTree) throws -> SQLTerm {
    if let flag = try flag(tree, equals: true) { return flag }
    return try term(tree)
  }

  mutating func conditions(_ trees: [ExpressionTree]) throws -> [SQLTerm] {
    var terms: [SQLTerm] = []
    for tree in trees { terms.append(try condition(tree)) }
    return terms
  }

  /// Renders the comparison of a property with a value; nil if the expression is no property of type
  /// `Bool`, or if an index contains it as a condition without a comparison.
  mutating func flag(_ tree: ExpressionTree, equals value: Bool) throws -> SQLTerm? {
    guard case .column(let path) = tree, let schema = try path.endType,
      schema.columns.indices.contains(path.property), schema.columns[path.property].codec == .bool,
      !schema.indexesHaveCondition(path.property)
    else { return nil }
    let column = try column(path)
    return column.mayBeNull ? nil : SQLTerm("\(column.operand) = \(value ? 1 : 0)", .comparison)
  }
}
