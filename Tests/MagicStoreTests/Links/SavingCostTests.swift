import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import Testing

/// A save of a graph writes only the changes.
@Suite(.everyEngine) struct SavingCostTests {
  private func makeRoot() -> Root {
    let root = Root()
    root.middle = Middle()
    root.middle.branches = (0..<3).map { number in
      let branch = Branch("\(number)")
      branch.leaf = Leaf(number)
      branch.list = (0..<20).map(Leaf.init)
      branch.set = MagicalSet((0..<5).map(Leaf.init))
      branch.keyed = ["a": Leaf(1), "b": Leaf(2)]
      return branch
    }
    root.middle.root = root
    return root
  }

  private func fetched(from counted: CountedStore) throws -> Root {
    let roots = try counted.store.object(of: Root.self)
    return try #require(roots.first)
  }

  @Test func everyRowOfANewGraphIsWrittenOnce() throws {
    let counted = try CountedStore()
    // The first save creates the tables and their rows of the catalogue.
    try counted.store.update(makeRoot())
    let next = makeRoot()
    next.middle.branches.forEach { $0.name += "!" }
    // Root, middle, three branches with their leaves and join rows. The cycle costs no row: the row
    // ID that closes it is reserved before its row is written.
    try counted.expectSaving(next, writes: 2 + 3 * (1 + 1 + 2 * (20 + 5 + 2)) + 3)
    #expect(try counted.count(of: Leaf.self) == 2 * 3 * 28)
  }

  @Test func anUnchangedGraphRunsNothing() throws {
    let counted = try CountedStore()
    let root = makeRoot()
    try counted.store.update(root)
    #expect(try counted.costOfSaving(root) == .nothing)
    #expect(try counted.costOfSaving(root.middle) == .nothing)
  }

  @Test func anUnchangedFetchedGraphRunsNothing() throws {
    let counted = try CountedStore()
    try counted.store.update(makeRoot())
    let root = try fetched(from: counted)
    #expect(try counted.costOfSaving(root) == .nothing)
    // Nor after all its relationships were read.
    for branch in root.middle.branches {
      #expect(branch.list.count + branch.set.count + branch.keyed.count == 27)
      #expect(branch.leaf != nil)
    }
    #expect(try counted.costOfSaving(root) == .nothing)
  }

  @Test(.requires(.statements), arguments: [false, true])
  func aChangeThreeLevelsBelowWritesOneRow(isFetched: Bool) throws {
    let counted = try CountedStore()
    let new = makeRoot()
    try counted.store.update(new)
    let root = isFetched ? try fetched(from: counted) : new
    let branch = root.middle.branches[1]
    let leaves: [Leaf?] = [branch.leaf, branch.list[7], branch.set[2], branch.keyed["b"]]
    for case let leaf? in leaves {
      leaf.number = 1_000
      let cost = try counted.costOfSaving(root)
      #expect(cost.rows == 1)
      #expect(cost.statements == ["UPDATE \"Leaf\" SET \"number\" = ? WHERE \"z_index\" = ?"])
      #expect(try counted.costOfSaving(root) == .nothing)
    }
    #expect(try counted.store.object(of: Leaf.self).filter { $0.number == 1_000 }.count == 4)
  }

  @Test(arguments: [false, true])
  func aReplacedToOneWritesOnlyItsColumn(isFetched: Bool) throws {
    let counted = try CountedStore()
    let new = makeRoot()
    try counted.store.update(new)
    let root = isFetched ? try fetched(from: counted) : new
    let (first, second) = (root.middle.branches[0], root.middle.branches[1])
    let leaf = first.leaf
    first.leaf = second.leaf
    let replaced = try counted.costOfSaving(root)
    if TestedEngine.current.has(.statements) {
      #expect(replaced.rows == 1)
      #expect(
        replaced.statements == ["UPDATE \"Branch\" SET \"leaf\" = ? WHERE \"z_index\" = ?"])
    }
    first.leaf = nil
    try counted.expectSaving(root, writes: 1)
    first.leaf = leaf
    try counted.expectSaving(root, writes: 1)
    #expect(try counted.costOfSaving(root) == .nothing)
    #expect(try counted.count(of: Leaf.self) == 3 * 28)
  }

  @Test(.requires(.statements)) func aToOneReplacedByANewObjectWritesTwoRows() throws {
    let counted = try CountedStore()
    let root = makeRoot()
    try counted.store.update(root)
    root.middle.branches[0].leaf = Leaf(9)
    #expect(try counted.costOfSaving(root).rows == 2)
    #expect(try counted.costOfSaving(root) == .nothing)
  }

  @Test(arguments: [false, true])
  func aCollectionThatIsSetToAnEqualValueWritesNothing(isFetched: Bool) throws {
    let counted = try CountedStore()
    let new = makeRoot()
    try counted.store.update(new)
    let root = isFetched ? try fetched(from: counted) : new
    for branch in root.middle.branches {
      branch.list = branch.list
      branch.set = MagicalSet(branch.set.reversed())
      branch.keyed = Dictionary(uniqueKeysWithValues: branch.keyed.map { ($0, $1) })
    }
    #expect(try counted.costOfSaving(root).rows == 0)
    #expect(try counted.costOfSaving(root) == .nothing)
  }

  @Test(arguments: [false, true])
  func oneMemberOfASetOrDictionaryIsOneJoinRow(isFetched: Bool) throws {
    let counted = try CountedStore()
    let new = Branch("a")
    new.set = MagicalSet((0..<500).map(Leaf.init))
    new.keyed = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)", Leaf($0)) })
    try counted.store.update(new)
    let branch = isFetched ? try counted.store.object(of: Branch.self, primary: "a") : new
    branch.set.insert(Leaf(1))
    try counted.expectSaving(branch, writes: 2)
    branch.set.remove(branch.set[100])
    try counted.expectSaving(branch, writes: 1)
    branch.keyed["new"] = Leaf(1)
    try counted.expectSaving(branch, writes: 2)
    branch.keyed["7"] = branch.keyed["8"]
    try counted.expectSaving(branch, writes: 1)
    branch.keyed["9"] = nil
    try counted.expectSaving(branch, writes: 1)
    #expect(try counted.costOfSaving(branch) == .nothing)
    let again = try counted.store.object(of: Branch.self, primary: "a")
    #expect(again.set.count == 500)
    #expect(again.keyed.count == 500)
    #expect(again.keyed["7"]?.number == 8)
  }

  @Test(.requires(.statements)) func aCycleOfSavedInstancesRunsNothing() throws {
    let counted = try CountedStore()
    let (a, b) = (Node(1), Node(2))
    (a.next, b.next) = (b, a)
    a.others = [a, b, a]
    try counted.store.update(a)
    #expect(try counted.costOfSaving(b) == .nothing)
    b.number = 3
    #expect(try counted.costOfSaving(a).rows == 1)
    (a.next, b.next) = (nil, nil)
    a.others = []
    #expect(try counted.costOfSaving(a).rows == 4)
    #expect(try counted.costOfSaving(b).rows == 1)
  }
}

private struct Root: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var middle: Middle
}

private struct Middle: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var branches: [Branch] = []
  @OptionMagicValue var root: Root?
}

private struct Node: MagicObject {
  @MagicValue var number: Int = 0
  @OptionMagicValue var next: Node?
  @MagicValue var others: [Node] = []

  init() {}
  init(_ number: Int) { self.number = number }
}
