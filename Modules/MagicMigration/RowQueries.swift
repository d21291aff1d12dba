/// Answers what a planner asks of stored rows. A planner has no connection: it compares values.
package protocol RowQueries {
  /// The integer that a query yields, 0 where it yields none.
  func integer(_ query: String) throws -> Int64

  /// The first row IDs that a query yields, one more than ``RowNames/most`` where there are as many.
  func firstRows(_ query: String) throws -> [Int64]

  /// Whether a literal is read as this real number to the last bit, not as its neighbour.
  func reads(_ literal: String, as value: Double) throws -> Bool
}
