/// A set of row IDs, stored as an ascending array without duplicates.
@frozen @usableFromInline
package struct RowIDSet {
  @usableFromInline package let rowIDs: [Int64]

  package init(_ unordered: [Int64]) {
    guard zip(unordered, unordered.dropFirst()).contains(where: { $0 >= $1 }) else {
      rowIDs = unordered
      return
    }
    var list = unordered.sorted()
    var count = 0
    for rowID in list where count == 0 || list[count - 1] != rowID {
      list[count] = rowID
      count += 1
    }
    list.removeSubrange(count...)
    rowIDs = list
  }

  /// Returns whether the set contains a row ID.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package func contains(_ rowID: Int64) -> Bool {
    let index = Self.insertionIndex(of: rowID, in: rowIDs)
    return index < rowIDs.count && rowIDs[index] == rowID
  }

  /// Returns the index of a row ID in an ascending array, or the index at which it would be
  /// inserted.
  @inlinable
  package static func insertionIndex(of rowID: Int64, in ascending: [Int64]) -> Int {
    var (low, high) = (0, ascending.count)
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < rowID { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns whether the set contains a row ID. For calls with ascending row IDs: each call
  /// continues at the index of the previous call.
  @inlinable
  package func contains(_ rowID: Int64, from index: inout Int) -> Bool {
    while index < rowIDs.count, rowIDs[index] < rowID { index += 1 }
    return index < rowIDs.count && rowIDs[index] == rowID
  }
}
