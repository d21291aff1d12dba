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
  private let traversal: TraversalTree?
  private let filter: ExpressionTree?
  private let having: ExpressionTree?
  private let selection: [ExpressionTree]
  private let groups: [ExpressionTree]
  private let groupOrders: [ExpressionTree.SortTerm]
  private let orders: [ExpressionTree.SortTerm]
  private let topGroups: TopGroups?
  private let join: RowJoin?
  private let combined: CombinedSelections?
  /// Whether an expression contains a window function.
  let hasWindow: Bool
  /// Whether an expression is about the rows of other tables: of members, or of a subquery.
  package let reachesOtherTypes: Bool
  /// The ordinals of the types whose search indexes the query uses.
  package let searched: [Int]

  /// - Parameter hash: replaces the computed hash, for tests of collisions.
  package init(
    _ schema: ObjectSchema, _ result: QueryResult, _ plan: QueryDescription, hash: UInt64? = nil
  ) {
    type = schema.ordinal
    self.result = result
    flags = plan.flags
    traversal = plan.traversal?.tree
    filter = plan.filter?.tree
    having = plan.having?.tree
    // `map` is not inlined, so empty arrays avoid the call.
    selection = plan.selection.isEmpty ? [] : plan.selection.map(\.tree)
    groups = plan.groups.isEmpty ? [] : plan.groups.map(\.tree)
    groupOrders = plan.groupOrders.isEmpty ? [] : plan.groupOrders.map(\.term)
    orders = plan.orders.isEmpty ? [] : plan.orders.map(\.term)
    topGroups = plan.topGroups
    join = plan.join
    combined = plan.combined

    var hasher = ShapeHasher()
    hasher.combine(type)
    hasher.combine(flags)
    result.hash(into: &hasher)
    traversal?.hash(into: &hasher)
    join?.hash(into: &hasher)
    combined?.hash(into: &hasher)
    filter?.hash(into: &hasher)
    having?.hash(into: &hasher)
    hasher.combine(selection)
    hasher.combine(groups)
    hasher.combine(groupOrders)
    hasher.combine(orders)
    if let topGroups { topGroups.window.hash(of: .rowNumber, into: &hasher) }
    hasWindow = hasher.hasWindow
    reachesOtherTypes = hasher.reachesOtherTypes
    var searched = hasher.searched
    if plan.search != nil { searched.append(type) }
    if let combined { searched += combined.searched }
    self.searched = searched.count < 2 ? searched : Set(searched).sorted()
    self.hash = hash ?? hasher.hash
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static func == (left: QueryShape, right: QueryShape) -> Bool {
    guard left.hash == right.hash, left.type == right.type, left.flags == right.flags,
      left.result == right.result
    else { return false }
    var comparison = ShapeComparison()
    return comparison.areEqual(left.traversal, right.traversal)
      && comparison.areEqual(left.join, right.join)
      && left.combined.hasShape(of: right.combined)
      && comparison.areEqual(left.selection, right.selection)
      && comparison.areEqual(left.filter, right.filter)
      && comparison.areEqual(left.groups, right.groups)
      && comparison.areEqual(left.having, right.having)
      && comparison.areEqual(left.groupOrders, right.groupOrders)
      && comparison.areEqual(left.orders, right.orders)
      && comparison.areEqual(left.topGroups, right.topGroups)
  }
}

extension QueryDescription {
  /// The properties of the query that are not expressions, as bits. The values of limits are not
  /// included.
  fileprivate var flags: Int {
    (isRandom ? 1 : 0) | (isDistinct ? 2 : 0) | (limit == nil ? 0 : 4) | (offset == nil ? 0 : 8)
      | (groupLimit == nil ? 0 : 16) | (topGroups == nil ? 0 : 32)
      | (search == nil ? 0 : 64) | (search?.readsOnlyIndex == true ? 128 : 0)
  }
}

extension ShapeComparison {
  fileprivate mutating func areEqual(_ left: TopGroups?, _ right: TopGroups?) -> Bool {
    guard let left = left?.window, let right = right?.window else {
      return left == nil && right == nil
    }
    return areEqual(left.partition, right.partition) && areEqual(left.orders, right.orders)
  }
}
