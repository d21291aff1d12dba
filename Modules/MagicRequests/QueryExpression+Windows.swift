import MagicSchema

extension QueryExpression {
  /// Returns a function that is computed over a window of the rows of the result.
  package static func window(
    _ function: WindowFunction, of operand: QueryExpression? = nil, partition: [QueryExpression],
    orders: [(expression: QueryExpression, isDescending: Bool)], frame: WindowFrame?
  ) -> QueryExpression {
    let operands = operand.map { [$0] } ?? []
    return QueryExpression(operands + partition + orders.map(\.expression)) { trees in
      let keys = trees.dropFirst(operands.count)
      let window = Window(
        partition: Array(keys.prefix(partition.count)),
        orders: zip(orders, keys.dropFirst(partition.count)).map {
          ExpressionTree.SortTerm(tree: $1, isDescending: $0.isDescending)
        },
        frame: frame)
      return .window(function.clamped, of: operand == nil ? nil : trees[0], window)
    }
  }
}
