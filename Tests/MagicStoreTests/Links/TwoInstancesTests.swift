import EngineConformance
import Foundation
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Two instances of one row change its collections, and the changes of both are stored.
@Suite(.everyEngine) struct TwoInstancesTests {
  private func branch(_ counted: CountedStore) throws -> Branch {
    try counted.store.object(of: Branch.self, primary: "a")
  }

  private func fiveLeaves(_ branch: Branch) { branch.list = (0..<5).map(Leaf.init) }

  /// Saves a branch, changes two instances of it, saves both, and returns the stored branch.
  private func after(
    _ start: (Branch) -> Void, fetchesBoth: Bool = true,
    _ first: (Branch) -> Void, _ second: (Branch) -> Void
  ) throws -> Branch {
    let counted = try CountedStore()
    let saved = Branch("a")
    start(saved)
    try counted.store.update(saved)
    let one = fetchesBoth ? try branch(counted) : saved
    let two = try branch(counted)
    first(one)
    second(two)
    try counted.store.update(one)
    try counted.store.update(two)
    let stored = try branch(counted)
    // A further save without a change changes nothing.
    try counted.store.update(one)
    try counted.store.update(two)
    let again = try branch(counted)
    #expect(again.list.map(\.number) == stored.list.map(\.number))
    #expect(again.set.count == stored.set.count)
    #expect(again.keyed.count == stored.keyed.count)
    return stored
  }

  @Test(arguments: [false, true]) func bothAppend(fetchesBoth: Bool) throws {
    let stored = try after(fiveLeaves, fetchesBoth: fetchesBoth) {
      $0.list.append(Leaf(10))
    } _: {
      $0.list.append(Leaf(11))
    }
    #expect(stored.list.map(\.number) == [0, 1, 2, 3, 4, 10, 11])
  }

  @Test func bothAppendToAnEmptyList() throws {
    let stored = try after { _ in
    } _: {
      $0.list.append(Leaf(10))
    } _: {
      $0.list.append(Leaf(11))
    }
    #expect(stored.list.map(\.number) == [10, 11])
  }

  @Test(arguments: [false, true]) func bothInsertAtTheStart(fetchesBoth: Bool) throws {
    let stored = try after(fiveLeaves, fetchesBoth: fetchesBoth) {
      $0.list.insert(Leaf(10), at: 0)
    } _: {
      $0.list.insert(Leaf(11), at: 0)
    }
    #expect(stored.list.map(\.number) == [11, 10, 0, 1, 2, 3, 4])
  }

  @Test func bothInsertAtOnePosition() throws {
    let stored = try after(fiveLeaves) {
      $0.list.insert(contentsOf: [Leaf(10), Leaf(11)], at: 2)
    } _: {
      $0.list.insert(contentsOf: [Leaf(20), Leaf(21)], at: 2)
    }
    #expect(stored.list.map(\.number) == [0, 1, 20, 21, 10, 11, 2, 3, 4])
  }

  @Test func bothRemoveTheSame() throws {
    let stored = try after(fiveLeaves) {
      $0.list.remove(at: 2)
    } _: {
      $0.list.remove(at: 2)
    }
    #expect(stored.list.map(\.number) == [0, 1, 3, 4])
  }

  @Test func eachRemovesAnotherMember() throws {
    let stored = try after(fiveLeaves) {
      $0.list.remove(at: 0)
    } _: {
      $0.list.remove(at: 4)
    }
    #expect(stored.list.map(\.number) == [1, 2, 3])
  }

  @Test func oneRemovesAMemberThatTheOtherKeeps() throws {
    let stored = try after(fiveLeaves) {
      $0.list.removeFirst(3)
    } _: {
      $0.list.append(Leaf(10))
    }
    #expect(stored.list.map(\.number) == [3, 4, 10])
  }

  @Test func oneRemovesAllAndTheOtherInsertsBetween() throws {
    let stored = try after(fiveLeaves) {
      $0.list = []
    } _: {
      $0.list.insert(Leaf(10), at: 3)
    }
    #expect(stored.list.map(\.number) == [10])
  }

  @Test func insertsKeepTheirOrderIfTheOtherRemovesTheMembersBetween() throws {
    let stored = try after(fiveLeaves) {
      $0.list.removeSubrange(1...3)
    } _: { branch in
      for (index, number) in [(1, 10), (3, 11), (5, 12)] {
        branch.list.insert(Leaf(number), at: index)
      }
    }
    #expect(stored.list.map(\.number) == [0, 10, 11, 12, 4])
  }

  @Test func laterInsertsKeepTheirOrderAfterTheOtherRemovedMembers() throws {
    let counted = try CountedStore()
    let one = Branch("a")
    fiveLeaves(one)
    try counted.store.update(one)
    let two = try branch(counted)
    two.list.removeSubrange(1...3)
    try counted.store.update(two)
    one.list.insert(Leaf(10), at: 1)
    try counted.store.update(one)
    // After member 1, which no longer has a row and whose position is before that of the new one.
    one.list.insert(Leaf(11), at: 3)
    try counted.store.update(one)
    #expect(try branch(counted).list.map(\.number) == [0, 10, 11, 4])
  }

  @Test func bothRemoveOneOfTwoEqualMembers() throws {
    let twice = Leaf(1)
    let stored = try after {
      $0.list = [twice, Leaf(2), twice, Leaf(3), twice]
    } _: {
      $0.list.remove(at: 0)
    } _: {
      $0.list.remove(at: 4)
    }
    #expect(stored.list.map(\.number) == [2, 1, 3])
  }

  @Test func oneMovesMembersToThePositionAtWhichTheOtherInserts() throws {
    let stored = try after(fiveLeaves) {
      $0.list.swapAt(0, 4)
    } _: {
      $0.list.append(Leaf(10))
      $0.list.insert(Leaf(11), at: 0)
    }
    #expect(stored.list.map(\.number).sorted() == [0, 1, 2, 3, 4, 10, 11])
    #expect(stored.list.last?.number == 10)
  }

  @Test func setsKeepTheInsertsOfBoth() throws {
    let stored = try after {
      $0.set = [Leaf(0), Leaf(1), Leaf(2)]
    } _: { branch in
      branch.set.insert(Leaf(10))
      branch.set.removeAll { $0.number == 0 }
    } _: { branch in
      branch.set.insert(Leaf(11))
      branch.set.removeAll { $0.number == 0 || $0.number == 1 }
    }
    #expect(stored.set.map(\.number).sorted() == [2, 10, 11])
  }

  @Test func setsKeepAMemberThatBothInsertOnce() throws {
    let counted = try CountedStore()
    let shared = Leaf(1)
    try counted.store.update(shared)
    try counted.store.update(Branch("a"))
    let (one, two) = (try branch(counted), try branch(counted))
    one.set.insert(shared)
    two.set.insert(shared)
    try counted.store.update(contentsOf: [one, two])
    #expect(try branch(counted).set.count == 1)
  }

  @Test func dictionariesKeepBothKeys() throws {
    let stored = try after {
      $0.keyed = ["a": Leaf(0), "b": Leaf(1), "c": Leaf(2)]
    } _: { branch in
      branch.keyed["one"] = Leaf(10)
      branch.keyed["a"] = nil
      branch.keyed["b"] = Leaf(12)
    } _: { branch in
      branch.keyed["two"] = Leaf(11)
      branch.keyed["a"] = nil
    }
    #expect(
      stored.keyed.mapValues(\.number) == ["b": 12, "c": 2, "one": 10, "two": 11])
  }

  @Test func theLaterValueOfAKeyIsStored() throws {
    let stored = try after { _ in
    } _: {
      $0.keyed["a"] = Leaf(1)
    } _: {
      $0.keyed["a"] = Leaf(2)
    }
    #expect(stored.keyed.mapValues(\.number) == ["a": 2])
  }

  @Test func manyInsertsOfBothAtOnePositionLoseNothing() throws {
    let counted = try CountedStore()
    let saved = Branch("a")
    saved.list = [Leaf(-1), Leaf(-2)]
    try counted.store.update(saved)
    let (one, two) = (try branch(counted), try branch(counted))
    // Enough that the free positions are used up repeatedly, and one moves the members of the
    // other.
    for number in 0..<500 {
      one.list.insert(Leaf(number), at: 1)
      try counted.store.update(one)
      two.list.insert(Leaf(number + 1_000), at: 1)
      try counted.store.update(two)
    }
    let numbers = try branch(counted).list.map(\.number)
    #expect(numbers.sorted() == [-2, -1] + (0..<500) + (1_000..<1_500))
    #expect(numbers.first == -1)
    #expect(numbers.last == -2)
    // Removing all members again removes exactly those that the instance has.
    one.list.removeAll { (0..<500).contains($0.number) }
    try counted.store.update(one)
    two.list.removeAll { $0.number >= 1_000 }
    try counted.store.update(two)
    #expect(try branch(counted).list.map(\.number) == [-1, -2])
  }

  @Test func threadsThatAppendToOneRowLoseNothing() throws {
    let counted = try CountedStore()
    try counted.store.update(Branch("a"))
    let store = counted.store
    let results = Recorder<String>()
    let threads = (0..<4).map { thread in
      Thread {
        do {
          for step in 0..<50 {
            let mine = try store.object(of: Branch.self, primary: "a")
            mine.list.append(Leaf(thread * 1_000 + step))
            mine.list.insert(Leaf(thread * 1_000 + 500 + step), at: 0)
            try store.update(mine)
          }
        } catch {
          Issue.record(error)
        }
        results.note("done")
      }
    }
    threads.forEach { $0.start() }
    while results.all.count < 4 { Thread.sleep(forTimeInterval: 0.01) }
    let numbers = try branch(counted).list.map(\.number)
    #expect(Set(numbers).count == 400)
    #expect(numbers.count == 400)
    for thread in 0..<4 {
      // Appended members are in the order of their thread, prepended ones in the reverse order.
      let mine = numbers.filter { $0 / 1_000 == thread }
      #expect(mine.filter { $0 % 1_000 < 500 } == (0..<50).map { thread * 1_000 + $0 })
      #expect(
        mine.filter { $0 % 1_000 >= 500 } == (0..<50).reversed().map { thread * 1_000 + 500 + $0 })
    }
  }
}
