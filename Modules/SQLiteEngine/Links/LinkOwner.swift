import MagicSQLite

/// The owner of join rows, while these are read in the order of their owners.
///
/// A join row connects an owner to one member of its collection; this module also calls it a link.
/// A manipulated file may have any value as an owner. SQLite sorts real numbers among the integers:
/// join rows of owner 1.5 follow those of owner 1, and 1.5 reads as the integer 1. As real numbers
/// the two values differ, and reading them takes the same time. Only a value that differs from the
/// previous owner is checked in full, once for each owner. An owner that is not an integer is not a
/// row ID.
struct LinkOwner {
  /// The row ID of the owner; 0 if the owner is not a row.
  private(set) var zIndex: Int64 = 0
  private(set) var isRow = false
  /// The stored value as a real number; NaN in the range where several integers have the same real
  /// value.
  private var number = Double.nan

  private static let exactLimit = 9_007_199_254_740_992.0

  /// Moves to the next join row.
  ///
  /// - Returns: whether its owner may differ from the previous one.
  @inline(__always)
  mutating func advance(to column: SQLiteColumn) -> Bool {
    let next = column.real
    guard next != number else { return false }
    change(to: column, next)
    return true
  }

  private mutating func change(to column: SQLiteColumn, _ next: Double) {
    number = abs(next) < Self.exactLimit ? next : .nan
    isRow = column.isInteger
    zIndex = isRow ? column.integer : 0
  }
}
