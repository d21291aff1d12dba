/// The difference between a saved list and a new list: the removed entries, and the inserted runs.
///
/// An entry stays if it is neither removed nor inserted. These are the entries of the common prefix
/// and the common suffix, and between them those of the longest common subsequence of paired
/// entries. Equal values are paired in order: the first occurrence in the old list with the first
/// occurrence in the new list, and so on.
package struct ListDifference: Equatable {
  /// Consecutive members of the new list that are inserted between two staying entries.
  package struct Run: Equatable {
    /// The index of the staying entry of the old list that precedes the run, or nil at the front.
    package let predecessor: Int?
    /// The index of the staying entry of the old list that follows the run, or nil at the end.
    package let successor: Int?
    /// The indexes of the run's members in the new list.
    package let members: Range<Int>

    package init(predecessor: Int?, successor: Int?, members: Range<Int>) {
      self.predecessor = predecessor
      self.successor = successor
      self.members = members
    }
  }

  /// The indexes of removed entries in the old list, ascending.
  package private(set) var removed: [Int] = []
  /// The inserted runs, in the order of the new list.
  package private(set) var inserted: [Run] = []

  package init(from old: [Int64], to new: [Int64]) {
    self = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { ListDifference(from: old, to: $0) }
    }
  }

  package init(from old: UnsafeBufferPointer<Int64>, to new: UnsafeBufferPointer<Int64>) {
    let shorter = min(old.count, new.count)
    var front = 0
    while front < shorter, old[front] == new[front] { front += 1 }
    var back = 0
    while back < shorter - front, old[old.count - 1 - back] == new[new.count - 1 - back] {
      back += 1
    }

    let oldMiddle = front..<(old.count - back)
    let newMiddle = front..<(new.count - back)
    var staying: [Pair] = []
    if !oldMiddle.isEmpty, !newMiddle.isEmpty {
      staying = Self.longestInOrder(Self.pairs(old, oldMiddle, new, newMiddle))
    }
    collect(
      staying, oldMiddle, newMiddle, predecessor: front > 0 ? front - 1 : nil,
      successor: back > 0 ? old.count - back : nil)
  }

  /// Records the removed entries and the inserted runs between the staying entries.
  private mutating func collect(
    _ staying: [Pair], _ oldMiddle: Range<Int>, _ newMiddle: Range<Int>, predecessor: Int?,
    successor: Int?
  ) {
    var predecessor = predecessor
    var nextOld = oldMiddle.lowerBound
    var nextNew = newMiddle.lowerBound
    for pair in staying {
      removed.append(contentsOf: nextOld..<pair.old)
      insert(nextNew..<pair.new, after: predecessor, before: pair.old)
      predecessor = pair.old
      nextOld = pair.old + 1
      nextNew = pair.new + 1
    }
    removed.append(contentsOf: nextOld..<oldMiddle.upperBound)
    insert(nextNew..<newMiddle.upperBound, after: predecessor, before: successor)
  }

  private mutating func insert(_ members: Range<Int>, after predecessor: Int?, before next: Int?) {
    guard !members.isEmpty else { return }
    inserted.append(Run(predecessor: predecessor, successor: next, members: members))
  }
}

extension ListDifference {
  /// The indexes of one value in both lists.
  private struct Pair {
    let old: Int
    let new: Int
  }

  /// Pairs the occurrences of each value, in the order of the new list.
  private static func pairs(
    _ old: UnsafeBufferPointer<Int64>, _ oldMiddle: Range<Int>,
    _ new: UnsafeBufferPointer<Int64>, _ newMiddle: Range<Int>
  ) -> [Pair] {
    let none = -1
    // The first unpaired index of each value, and for each index the next index of the same value.
    var free = [Int64: Int](minimumCapacity: oldMiddle.count)
    var following = [Int](repeating: none, count: oldMiddle.count)
    for place in oldMiddle.reversed() {
      following[place - oldMiddle.lowerBound] =
        free.updateValue(place, forKey: old[place]) ?? none
    }
    var pairs: [Pair] = []
    pairs.reserveCapacity(min(oldMiddle.count, newMiddle.count))
    for place in newMiddle {
      guard let match = free[new[place]], match != none else { continue }
      pairs.append(Pair(old: match, new: place))
      free[new[place]] = following[match - oldMiddle.lowerBound]
    }
    return pairs
  }

  /// Returns the longest subsequence of pairs that is ascending in both lists.
  private static func longestInOrder(_ pairs: [Pair]) -> [Pair] {
    // `ends` contains, for each length, the last pair of the subsequence with the smallest last
    // index. `before` contains the predecessor of each pair in its subsequence.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var low = 0
      var high = ends.count
      // The pair usually continues the longest subsequence.
      if let last = ends.last, pairs[last].old < pair.old { low = high }
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var sequence: [Pair] = []
    sequence.reserveCapacity(ends.count)
    var next = ends.last ?? -1
    while next >= 0 {
      sequence.append(pairs[next])
      next = before[next]
    }
    return sequence.reversed()
  }
}
