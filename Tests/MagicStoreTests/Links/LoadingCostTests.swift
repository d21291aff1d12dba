import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// The number of statements that a fetch of a graph runs.
@Suite(.everyEngine) struct LoadingCostTests {
  /// Saves a number of trunks, and returns the statements that a fetch of all of them runs.
  private func statements(ofFetching count: Int, change: (Trunk) -> Void) throws -> [String] {
    let counted = try CountedStore()
    let trunks = (0..<count).map { number in
      let trunk = Trunk("\(number)")
      change(trunk)
      return trunk
    }
    try counted.store.update(contentsOf: trunks)
    counted.recorder.clear()
    #expect(try counted.store.object(of: Trunk.self).count == count)
    return counted.recorder.work
  }

  private func expectSameStatements(_ change: (Trunk) -> Void) throws {
    let few = try statements(ofFetching: 10, change: change)
    let many = try statements(ofFetching: 2_000, change: change)
    #expect(many.count == few.count)
    #expect(many.count < 40)
  }

  private func branch(_ name: String, members: Int) -> Branch {
    let branch = Branch(name)
    branch.leaf = Leaf(1)
    branch.list = (0..<members).map(Leaf.init)
    branch.set = MagicalSet((0..<members).map(Leaf.init))
    branch.keyed = ["a": Leaf(1), "b": Leaf(2)]
    return branch
  }

  @Test func aToOneOfAnyNumberOfOwnersIsOneStatement() throws {
    try expectSameStatements { $0.branch = Branch($0.name) }
  }

  @Test func aCollectionOfAnyNumberOfOwnersIsTwoStatements() throws {
    try expectSameStatements { trunk in
      trunk.branches = (0..<3).map { Branch("\(trunk.name) \($0)") }
    }
  }

  @Test func everyLevelIsAsManyStatementsForAnyNumberOfOwners() throws {
    try expectSameStatements { trunk in
      trunk.branch = branch("\(trunk.name) one", members: 2)
      trunk.branches = [branch("\(trunk.name) many", members: 2)]
    }
  }

  @Test func ownersThatShareAllMembersAreAsManyStatements() throws {
    let shared = branch("shared", members: 3)
    try expectSameStatements { trunk in
      trunk.branch = shared
      trunk.branches = [shared, shared]
    }
  }

  @Test func scatteredOwnersAreAsManyStatements() throws {
    func count(_ owners: Int) throws -> Int {
      let counted = try CountedStore()
      let branches = (0..<owners * 10).map { number in
        let branch = Branch("\(number)")
        branch.leaf = Leaf(number)
        branch.list = [Leaf(number), Leaf(-number)]
        return branch
      }
      try counted.store.update(contentsOf: branches)
      counted.recorder.clear()
      let names = (0..<owners).map { "\($0 * 10 + 3)" }
      let found = try counted.store.object(of: Branch.self, primaries: names)
      #expect(found.map { $0.leaf?.number } == (0..<owners).map { $0 * 10 + 3 })
      #expect(
        found.allSatisfy { $0.list.map(\.number) == [$0.leaf?.number, $0.leaf.map { -$0.number }] })
      return counted.recorder.work.filter { !$0.contains("\"name\" = ?") }.count
    }
    #expect(try count(10) == count(500))
  }

  @Test func rowsInMemoryAreNotFetchedAgain() throws {
    let counted = try CountedStore()
    let leaves = (0..<100).map(Leaf.init)
    let branch = Branch("a")
    branch.leaf = leaves[7]
    branch.list = leaves
    branch.set = MagicalSet(leaves)
    branch.keyed = ["a": leaves[3]]
    try counted.store.update(branch)
    counted.recorder.clear()
    let fetched = try counted.store.object(of: Branch.self, primary: "a")
    // One for the row of the to-one, one for the other rows of the list.
    if TestedEngine.current.has(.statements) {
      #expect(counted.recorder.reading("Leaf").count == 2)
    }
    fetched.leaf?.number = 1_000
    #expect(fetched.list[7].number == 1_000)
    #expect(fetched.set.contains { $0.number == 1_000 })
  }

  @Test func aFetchOfAllReadsEachRowOfItsTypeOnce() throws {
    let counted = try CountedStore()
    let rings = (0..<100).map(Ring.init)
    for (index, ring) in rings.enumerated() {
      ring.next = rings[(index + 1) % 100]
      ring.others = rings
    }
    try counted.store.update(rings[0])
    counted.recorder.clear()
    let fetched = try counted.store.object(of: Ring.self)
    if TestedEngine.current.has(.statements) {
      #expect(counted.recorder.reading("Ring").count == 1)
    }
    #expect(fetched.allSatisfy { $0.others.count == 100 && $0.next != nil })
  }

  @Test func aChainOfToOnesOfAnyLengthIsOneQuery() throws {
    func count(_ length: Int) throws -> Int {
      let counted = try CountedStore()
      let rings = (0..<length).map(Ring.init)
      for (ring, next) in zip(rings, rings.dropFirst()) { ring.next = next }
      try counted.store.update(rings[0])
      counted.recorder.clear()
      var ring: Ring? = try counted.store.object(of: Ring.self, primary: 0)
      let statements = counted.recorder.work.count
      var found = 0
      while let next = ring {
        #expect(next.number == found)
        found += 1
        ring = next.next
      }
      #expect(found == length)
      #expect(counted.recorder.work.count == statements)
      return statements
    }
    #expect(try count(10) == count(10_000))
  }

  @Test func aTreeOfListsOfAnyDepthIsOneQuery() throws {
    func count(_ depth: Int) throws -> Int {
      let counted = try CountedStore()
      let rings = (0..<depth).map(Ring.init)
      for (ring, next) in zip(rings, rings.dropFirst()) {
        ring.others = [next, Ring(-next.number)]
      }
      try counted.store.update(rings[0])
      counted.recorder.clear()
      var ring: Ring? = try counted.store.object(of: Ring.self, primary: 0)
      let statements = counted.recorder.work.count
      var found = 0
      while let next = ring {
        found += 1
        ring = next.others.first
      }
      #expect(found == depth)
      return statements
    }
    #expect(try count(10) == count(5_000))
  }

  @Test func unusedRelationshipsReadNoRows() throws {
    let counted = try CountedStore()
    try counted.store.update(contentsOf: (0..<100).map { Branch("\($0)") })
    counted.recorder.clear()
    let fetched = try counted.store.object(of: Branch.self)
    #expect(fetched.allSatisfy { $0.leaf == nil && $0.list.isEmpty && $0.keyed.isEmpty })
    #expect(counted.recorder.reading("Leaf") == [])
  }
}

private struct Trunk: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var branch: Branch?
  @MagicValue var branches: [Branch] = []

  init() {}
  init(_ name: String) { self.name = name }
}

private struct Ring: MagicObject {
  @PrimaryMagicValue var number: Int
  @OptionMagicValue var next: Ring?
  @MagicValue var others: [Ring] = []

  init() {}
  init(_ number: Int) { self.number = number }
}
