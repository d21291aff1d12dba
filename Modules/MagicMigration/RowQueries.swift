/// The queries of a planner for stored rows. A planner has no connection of its own.
package protocol RowQueries {
  /// Returns the integer that a query returns; 0 if the query returns no row.
  func integer(_ query: String) throws -> Int64

  /// Returns the first row IDs that a query returns, at most one more than ``RowIDText/maximumCount``.
  func firstRows(_ query: String) throws -> [Int64]

  /// Returns whether SQLite reads a literal as exactly this floating-point number, and not as an
  /// adjacent one.
  func reads(_ literal: String, as value: Double) throws -> Bool
}
