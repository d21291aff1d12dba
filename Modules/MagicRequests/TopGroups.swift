/// A restriction to the first groups of each partition of the groups.
///
/// A class instance, because descriptions of queries are copied often, and few have it.
package final class TopGroups: Sendable {
  package let count: Int
  package let partition: [QueryExpression]
  package let orders: [QueryDescription.SortTerm]

  package init(
    count: Int, partition: [QueryExpression], orders: [QueryDescription.SortTerm]
  ) {
    (self.count, self.partition, self.orders) = (count, partition, orders)
  }

  /// The window in which the groups are numbered.
  package var window: Window {
    Window(partition: partition.map(\.tree), orders: orders.map(\.term))
  }

  /// The values of the expressions, in their order. The count follows the sort order of groups.
  package var expressions: [QueryExpression] { partition + orders.map(\.expression) }
}
