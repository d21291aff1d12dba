import MagicSQLite

/// The owner of links, while these are read in the order of their owners.
///
/// A file that was made to do harm may have anything in the place of an owner. SQLite sorts a real
/// number between the integers, so that links of 1.5 lie in a range behind those of 1, and read as an
/// integer 1.5 is 1. Read as real numbers the two differ, at the same price. What differs from the
/// owner before is looked at in full, once for each owner: what is no integer is no row's z-index.
struct LinkOwner {
  /// 0 where the link is of no row.
  private(set) var zIndex: Int64 = 0
  private(set) var isRow = false
  /// The value in the file as a real number; not a number where several integers are one.
  private var number = Double.nan

  private static let exactLimit = 9_007_199_254_740_992.0

  /// Goes on to a link.
  ///
  /// - Returns: whether it may be of another owner than the link before.
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
