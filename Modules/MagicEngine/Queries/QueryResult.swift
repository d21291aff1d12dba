/// What is wanted of the rows that a query finds.
package enum QueryResult: Sendable, Equatable {
  case objects
  case rowIDs
  case count
  case exists
  /// The plan's selection.
  case tuples
  /// How many rows the plan's selection has.
  case tupleCount
  /// The objects and, behind their columns, the plan's selection.
  case page
  /// One row of the aggregates in the plan's selection.
  case aggregates
  case delete
  /// The columns with these numbers are set to the values of the plan's selection.
  case update([Int])
}

extension QueryResult {
  func hash(into hasher: inout ShapeHasher) {
    switch self {
    case .objects: hasher.combine(0)
    case .rowIDs: hasher.combine(1)
    case .count: hasher.combine(2)
    case .exists: hasher.combine(3)
    case .tuples: hasher.combine(4)
    case .tupleCount: hasher.combine(5)
    case .page: hasher.combine(6)
    case .aggregates: hasher.combine(7)
    case .delete: hasher.combine(8)
    case .update(let columns):
      hasher.combine(9)
      hasher.combine(columns)
    }
  }
}
