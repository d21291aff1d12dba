package import MagicSchema

/// A query without its values: queries of equal shapes are the same statement with different
/// values.
///
/// Engines use the shape as the key of their compiled statements. The hash is computed once for a
/// shape. Shapes with equal hashes are compared, so a hash collision cannot select the statement of
/// another query.
package struct QueryShape: Hashable, Sendable {
  private let hash: UInt64
  private let type: Int
  private let result: QueryResult
  private let flags: Int
  private let filter: ExpressionTree?
  private let having: ExpressionTree?
  private let selection: [ExpressionTree]
  private let groups: [ExpressionTree]
  private let groupOrders: [ExpressionTree.SortTerm]
  private let orders: [ExpressionTree.SortTerm]

  /// - Parameter hash: replaces the computed hash, for tests of collisions.
  package init(
    _ schema: ObjectSchema, _ result: QueryResult, _ plan: QueryDescription, hash: UInt64? = nil
  ) {
    type = schema.ordinal
    self.result = result
    flags = plan.flags
    filter = plan.filter?.tree
    having = plan.having?.tree
    // `map` is not inlined, so empty arrays avoid the call.
    selection = plan.selection.isEmpty ? [] : plan.selection.map(\.tree)
    groups = plan.groups.isEmpty ? [] : plan.groups.map(\.tree)
    groupOrders = plan.groupOrders.isEmpty ? [] : plan.groupOrders.map(\.term)
    orders = plan.orders.isEmpty ? [] : plan.orders.map(\.term)

    var hasher = ShapeHasher()
    hasher.combine(type)
    hasher.combine(flags)
    result.hash(into: &hasher)
    filter?.hash(into: &hasher)
    having?.hash(into: &hasher)
    hasher.combine(selection)
    hasher.combine(groups)
    hasher.combine(groupOrders)
    hasher.combine(orders)
    self.hash = hash ?? hasher.hash
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static func == (left: QueryShape, right: QueryShape) -> Bool {
    guard left.hash == right.hash, left.type == right.type, left.flags == right.flags,
      left.result == right.result
    else { return false }
    var comparison = ShapeComparison()
    return comparison.areEqual(left.selection, right.selection)
      && comparison.areEqual(left.filter, right.filter)
      && comparison.areEqual(left.groups, right.groups)
      && comparison.areEqual(left.having, right.having)
      && comparison.areEqual(left.groupOrders, right.groupOrders)
      && comparison.areEqual(left.orders, right.orders)
  }
}

extension QueryDescription.SortTerm {
  fileprivate var term: ExpressionTree.SortTerm {
    ExpressionTree.SortTerm(tree: expression.tree, isDescending: isDescending)
  }
}

extension QueryDescription {
  /// The properties of the query that are not expressions, as bits. The values of limits are not
  /// included.
  fileprivate var flags: Int {
    (isRandom ? 1 : 0) | (isDistinct ? 2 : 0) | (limit == nil ? 0 : 4) | (offset == nil ? 0 : 8)
      | (groupLimit == nil ? 0 : 16)
  }
}
