/// The kind of result of a query.
package enum QueryResult: Sendable, Equatable {
  case objects
  case rowIDs
  case count
  case exists
  /// The selection of the query.
  case tuples
  /// The number of rows of the selection.
  case tupleCount
  /// The objects and the selection of the query. The selection follows the columns of the object.
  case page
  /// One row with the aggregates of the selection.
  case aggregates
  case delete
  /// Updates the columns with these indexes to the values of the selection.
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
