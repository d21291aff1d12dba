/// Row IDs to look for: ascending, each once.
@frozen @usableFromInline
package struct RowList {
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

  /// Whether a row ID is wanted.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package func contains(_ rowID: Int64) -> Bool {
    let place = Self.place(of: rowID, in: rowIDs)
    return place < rowIDs.count && rowIDs[place] == rowID
  }

  /// Where a row ID is among ascending ones, or would go.
  @inlinable
  package static func place(of rowID: Int64, in ascending: [Int64]) -> Int {
    var (low, high) = (0, ascending.count)
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < rowID { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a row ID is wanted. Asked in ascending order, each time from where it was found last.
  @inlinable
  package func contains(_ rowID: Int64, from place: inout Int) -> Bool {
    while place < rowIDs.count, rowIDs[place] < rowID { place += 1 }
    return place < rowIDs.count && rowIDs[place] == rowID
  }
}
