/// Chooses the orders of the join objects of one owner, so that few stored ones change.
enum JoinOrders {
  /// Returns the orders to be written; nil for a join object that keeps its stored one.
  ///
  /// The orders of written join objects, and of those that follow them, are strictly ascending.
  /// New join objects at the end get the orders after the last one, and those at the front the
  /// orders before the first one. If no number is free in the middle, the following join objects
  /// move up until there is.
  ///
  /// - Parameter stored: the stored orders in the new sequence; nil for join objects that are new,
  ///   or were moved.
  static func changes(of stored: [Int?]) -> [Int?] {
    changesWithinRange(of: stored)
      // The orders do not fit into an integer at one of the ends.
      ?? stored.enumerated().map { $1 == $0 ? nil : $0 }
  }

  private static func changesWithinRange(of stored: [Int?]) -> [Int?]? {
    var result = [Int?](repeating: nil, count: stored.count)
    var last: Int?
    var index = 0
    var isWritten = false
    while index < stored.count {
      if let order = stored[index] {
        if isWritten, let previous = last, order <= previous {
          guard previous < Int.max else { return nil }
          result[index] = previous + 1
          last = previous + 1
        } else {
          isWritten = false
          last = max(order, last ?? order)
        }
        index += 1
        continue
      }
      let end = stored[index...].firstIndex { $0 != nil } ?? stored.count
      guard
        let first = first(
          of: end - index, after: last, before: end < stored.count ? stored[end] : nil)
      else { return nil }
      for place in index..<end { result[place] = first + (place - index) }
      last = first + (end - index - 1)
      (index, isWritten) = (end, true)
    }
    return result
  }

  /// Returns the first order of a run; nil if the run does not fit.
  private static func first(of count: Int, after last: Int?, before next: Int?) -> Int? {
    let (first, overflow) =
      if let last {
        last.addingReportingOverflow(1)
      } else if let next {
        next.subtractingReportingOverflow(count)
      } else {
        (partialValue: 0, overflow: false)
      }
    return overflow || first.addingReportingOverflow(count).overflow ? nil : first
  }
}
