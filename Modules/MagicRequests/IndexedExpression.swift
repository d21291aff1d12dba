package import MagicSchema

/// An expression of an index, or the predicate of a partial index, with its SQL.
package struct IndexedExpression: IndexExpression {
  package let expression: QueryExpression
  package let definition: String
  /// The expression, or the conditions that a query can contain instead of the whole, if they contain
  /// constants: the operands of `&&` and `||`.
  let parts: [Part]

  /// An expression with its constants.
  struct Part: Sendable {
    let tree: ExpressionTree
    let values: ArraySlice<QueryValue>
  }

  /// - Throws: `MagicError` with `.invalidSchema` if an index cannot contain the expression.
  package init(_ expression: QueryExpression, of schema: ObjectSchema) throws {
    if let error = expression.error { throw error }
    self.expression = expression
    var writer = IndexDefinitionWriter(schema: schema, values: expression.values[...])
    let term = try writer.term(expression.tree)
    guard writer.hasColumn else {
      throw IndexDefinitionWriter.refused(
        "An index contains an expression without a property. Use at least one property in it.",
        schema)
    }
    definition = term.text
    parts = Self.parts(of: expression)
  }

  private static func parts(of expression: QueryExpression) -> [Part] {
    var parts: [Part] = []
    func add(_ tree: ExpressionTree, _ values: ArraySlice<QueryValue>) {
      guard !values.isEmpty else { return }
      switch tree {
      case .and(let operands), .or(let operands):
        var rest = values
        for operand in operands {
          guard let count = operand.valueCount, count <= rest.count else { return }
          add(operand, rest.prefix(count))
          rest = rest.dropFirst(count)
        }
      // A literal of its own has another meaning in some clauses: ORDER BY 1.
      case .value: return
      default: parts.append(Part(tree: tree, values: values))
      }
    }
    add(expression.tree, expression.values[...])
    return parts
  }
}
