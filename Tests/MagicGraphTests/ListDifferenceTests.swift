import MagicEngine
import MagicTestSupport
import Testing

@Suite struct ListDifferenceTests {
  @Test func equalListsDoNotDiffer() {
    for list: [Int64] in [[], [1], [1, 2, 3], [1, 1, 1]] {
      let difference = ListDifference(from: list, to: list)
      #expect(difference.removed.isEmpty)
      #expect(difference.inserted.isEmpty)
    }
  }

  @Test func aListIsInsertedIntoAnEmptyOneAsOneRun() {
    let difference = ListDifference(from: [], to: [7, 7, 8])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted == [run(nil, nil, 0..<3)])
  }

  @Test func aListIsRemovedCompletely() {
    let difference = ListDifference(from: [7, 7, 8], to: [])
    #expect(difference.removed == [0, 1, 2])
    #expect(difference.inserted.isEmpty)
  }

  @Test func appendingIsOneRunAtTheEnd() {
    let difference = ListDifference(from: [1, 2, 3], to: [1, 2, 3, 4, 5])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted == [run(2, nil, 3..<5)])
  }

  @Test func insertingIsOneRunBetweenItsNeighbours() {
    let difference = ListDifference(from: [1, 2, 3], to: [1, 9, 2, 3])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted == [run(0, 1, 1..<2)])
  }

  @Test func removingKeepsTheOthers() {
    let difference = ListDifference(from: [1, 2, 3, 4], to: [1, 3, 4])
    #expect(difference.removed == [1])
    #expect(difference.inserted.isEmpty)
  }

  @Test func oneAtTheStartAndOneAtTheEndAreTwoRuns() {
    let difference = ListDifference(from: [1, 2, 3], to: [8, 1, 2, 3, 9])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted == [run(nil, 0, 0..<1), run(2, nil, 4..<5)])
  }

  @Test func movingIsOneRemovalAndOneRun() {
    let back = ListDifference(from: [1, 2, 3, 4, 5], to: [1, 3, 4, 2, 5])
    #expect(back.removed == [1])
    #expect(back.inserted == [run(3, 4, 3..<4)])
    let front = ListDifference(from: [1, 2, 3, 4, 5], to: [5, 1, 2, 3, 4])
    #expect(front.removed == [4])
    #expect(front.inserted == [run(nil, 0, 0..<1)])
  }

  @Test func aReplacementHasThePositionOfTheRemovedEntries() {
    let difference = ListDifference(from: [1, 2, 3], to: [1, 8, 9, 3])
    #expect(difference.removed == [1])
    #expect(difference.inserted == [run(0, 2, 1..<3)])
  }

  @Test func anotherOccurrenceOfAValueIsOneRun() {
    let difference = ListDifference(from: [1, 2, 1, 2], to: [1, 2, 2, 1, 2])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted.map(\.members.count) == [1])
    let fewer = ListDifference(from: [4, 4, 4], to: [4, 4])
    #expect(fewer.removed.count == 1)
    #expect(fewer.inserted.isEmpty)
  }

  @Test func occurrencesOfAValueArePairedInOrder() {
    let difference = ListDifference(from: [1, 2, 1], to: [8, 1, 2, 1, 9])
    #expect(difference.removed.isEmpty)
    #expect(difference.inserted == [run(nil, 0, 0..<1), run(2, nil, 4..<5)])
  }

  @Test(arguments: [2, 4, 20, 1_000])
  func theDifferenceConvertsTheOldListToTheNew(values: Int64) {
    var random = SeededRandom(UInt64(values))
    for _ in 0..<1_500 {
      let old = random.list(values)
      let new = random.next() % 2 == 0 ? random.list(values) : random.edited(old, values)
      let difference = ListDifference(from: old, to: new)
      #expect(applied(difference, to: old, new) == new, "\(old) to \(new)")
    }
  }

  @Test func distinctListsDifferInAsLittleAsPossible() {
    var random = SeededRandom(7)
    for _ in 0..<1_500 {
      let all = (0..<Int64(12)).shuffled(using: &random)
      let old = Array(all.prefix(8))
      let new = Array(all.suffix(8).shuffled(using: &random))
      let difference = ListDifference(from: old, to: new)
      #expect(old.count - difference.removed.count == commonLength(old, new), "\(old) to \(new)")
    }
  }

  @Test func oneChangeOfAMillionEntriesIsFast() {
    let old = Array(0..<Int64(1_000_000))
    var (inserted, removed) = (old, old)
    inserted.insert(-1, at: 500_000)
    removed.remove(at: 500_000)
    let duration = ContinuousClock().measure {
      #expect(
        ListDifference(from: old, to: old + [-1]).inserted
          == [run(999_999, nil, 1_000_000..<1_000_001)])
      #expect(
        ListDifference(from: old, to: inserted).inserted
          == [run(499_999, 500_000, 500_000..<500_001)])
      #expect(ListDifference(from: old, to: removed).removed == [500_000])
    }
    #expect(duration < .seconds(20))
  }

  @Test func manyReorderedEntriesTakeNoQuadraticTime() {
    let count = Effort.choose(200_000, long: 1_000_000)
    let old = Array(0..<Int64(count))
    let duration = ContinuousClock().measure {
      #expect(
        ListDifference(from: old, to: [-1] + old + [-2]).inserted
          == [run(nil, 0, 0..<1), run(count - 1, nil, count + 1..<count + 2)])
      #expect(ListDifference(from: old, to: old.reversed()).removed.count == count - 1)
      let repeated = ListDifference(from: old.map { $0 / 1_000 }, to: old)
      #expect(repeated.removed.count == count - count / 1_000)
    }
    #expect(duration < .seconds(120))
  }

  private func run(_ predecessor: Int?, _ successor: Int?, _ members: Range<Int>)
    -> ListDifference.Run
  {
    ListDifference.Run(predecessor: predecessor, successor: successor, members: members)
  }
}

/// Applies a difference to a list, and checks that its runs refer to entries that are kept.
private func applied(_ difference: ListDifference, to old: [Int64], _ new: [Int64]) -> [Int64] {
  #expect(difference.removed == difference.removed.sorted())
  let staying = old.indices.filter { !difference.removed.contains($0) }
  var result: [Int64] = []
  var runs = difference.inserted[...]
  func takeRuns(after predecessor: Int?, before successor: Int?) {
    guard let run = runs.first, run.predecessor == predecessor else { return }
    #expect(run.successor == successor)
    #expect(!run.members.isEmpty)
    #expect(run.members.lowerBound == result.count)
    result += new[run.members]
    runs.removeFirst()
  }
  takeRuns(after: nil, before: staying.first)
  for (index, place) in staying.enumerated() {
    result.append(old[place])
    takeRuns(after: place, before: staying.dropFirst(index + 1).first)
  }
  #expect(runs.isEmpty)
  return result
}

/// The length of the longest common subsequence, from a table.
private func commonLength(_ old: [Int64], _ new: [Int64]) -> Int {
  var lengths = [Int](repeating: 0, count: new.count + 1)
  for value in old {
    var diagonal = 0
    for (index, other) in new.enumerated() {
      let above = lengths[index + 1]
      lengths[index + 1] = value == other ? diagonal + 1 : max(above, lengths[index])
      diagonal = above
    }
  }
  return lengths[new.count]
}

extension SeededRandom {
  fileprivate mutating func list(_ values: Int64) -> [Int64] {
    (0..<Int.random(in: 0...30, using: &self)).map { _ in value(values) }
  }

  fileprivate mutating func edited(_ list: [Int64], _ values: Int64) -> [Int64] {
    var list = list
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      if next() % 2 == 0, let place = list.indices.randomElement(using: &self) {
        list.remove(at: place)
      } else {
        list.insert(value(values), at: Int.random(in: 0...list.count, using: &self))
      }
    }
    return list
  }

  fileprivate mutating func value(_ values: Int64) -> Int64 {
    .random(in: 0..<values, using: &self)
  }
}
