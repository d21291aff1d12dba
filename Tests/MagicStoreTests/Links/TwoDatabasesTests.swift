import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// A graph of one database is inserted completely into another.
@Suite(.everyEngine) struct TwoDatabasesTests {
  private func makeBranch() -> Branch {
    let branch = Branch("a")
    branch.leaf = Leaf(1)
    branch.list = [Leaf(2), Leaf(3), Leaf(2)]
    branch.list.append(branch.list[0])
    branch.set = [Leaf(4), Leaf(5)]
    branch.keyed = ["a": Leaf(6), "b": branch.list[1]]
    return branch
  }

  private func expect(_ branch: Branch, at location: SourceLocation = #_sourceLocation) {
    #expect(branch.leaf?.number == 1, sourceLocation: location)
    #expect(branch.list.map(\.number) == [2, 3, 2, 2], sourceLocation: location)
    #expect(branch.set.map(\.number).sorted() == [4, 5], sourceLocation: location)
    #expect(branch.keyed.mapValues(\.number) == ["a": 6, "b": 3], sourceLocation: location)
  }

  /// The part of a fetched graph that is read before it is saved in the other database.
  enum Reading: CaseIterable { case nothing, toOnes, everything }

  @Test(arguments: Reading.allCases)
  func aFetchedGraphIsInsertedCompletely(reading: Reading) throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    // So that the row IDs differ.
    try two.store.update(contentsOf: (100..<120).map(Leaf.init))
    try one.store.update(makeBranch())
    let branch = try one.store.object(of: Branch.self, primary: "a")
    if reading != .nothing { _ = branch.leaf?.number }
    if reading == .everything { expect(branch) }
    try two.store.update(branch)
    expect(try two.store.object(of: Branch.self, primary: "a"))
    expect(branch)
    #expect(try two.count(of: Leaf.self) == 20 + 7)
    let again = try two.costOfSaving(branch)
    #expect(again == .nothing)
    // The first database is unchanged.
    expect(try one.store.object(of: Branch.self, primary: "a"))
    #expect(try one.count(of: Leaf.self) == 7)
    // The graph now belongs to the second database.
    branch.list[0].number = 7
    branch.list.removeLast()
    try two.store.update(branch)
    #expect(try two.store.object(of: Branch.self, primary: "a").list.map(\.number) == [7, 3, 2])
    expect(try one.store.object(of: Branch.self, primary: "a"))
  }

  /// After it was saved itself, it no longer counts as removed in any database.
  @Test func aRemovedObjectThatWasSavedElsewhereIsSavedWithItsOwner() throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    let leaf = Leaf(1)
    try one.store.update(leaf)
    try one.store.remove(leaf)
    try two.store.update(leaf)
    let branch = Branch("a")
    branch.leaf = leaf
    branch.list = [leaf]
    try one.store.update(branch)
    let stored = try one.store.object(of: Branch.self, primary: "a")
    #expect(stored.leaf?.number == 1)
    #expect(stored.list.map(\.number) == [1])
  }

  @Test(arguments: [false, true])
  func aFetchedCycleIsInsertedCompletely(isRead: Bool) throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    let first = Person("first")
    let second = Person("second")
    (first.partner, second.partner) = (second, first)
    (first.boss, second.boss) = (first, first)
    first.friends = [second, first]
    try two.store.update(
      contentsOf: ["x", "y", "z"].map { name in
        let person = Person(name)
        person.boss = person
        return person
      })
    try one.store.update(first)
    let people = try one.store.object(of: Person.self)
    if isRead { #expect(people.allSatisfy { $0.partner?.partner?.name == $0.name }) }
    let fetched = try #require(people.first { $0.name == "first" })
    try two.store.update(fetched)
    let stored = try two.store.object(of: Person.self)
    #expect(Set(stored.map(\.name)) == ["x", "y", "z", "first", "second"])
    let copy = try #require(stored.first { $0.name == "first" })
    #expect(copy.partner?.name == "second")
    #expect(copy.partner?.partner?.isSameRow(as: copy) == true)
    #expect(copy.partner?.boss.isSameRow(as: copy) == true)
    #expect(copy.boss.isSameRow(as: copy))
    #expect(copy.friends.map(\.name) == ["second", "first"])
    #expect(try one.store.object(of: Person.self).count == 2)
    #expect(fetched.partner?.isSameRow(as: try #require(copy.partner)) == true)
  }

  @Test func aSavedNewGraphIsInsertedCompletely() throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    let branch = makeBranch()
    try one.store.update(branch)
    try two.store.update(branch)
    expect(try two.store.object(of: Branch.self, primary: "a"))
    try one.store.update(branch)
    expect(try one.store.object(of: Branch.self, primary: "a"))
  }

  @Test func anOwnerRefersToMembersThatWereSavedInAnotherDatabaseMeanwhile() throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    try one.store.update(makeBranch())
    let branch = try one.store.object(of: Branch.self, primary: "a")
    // Copies of its leaves are saved in the second database as new rows.
    try two.store.update(try #require(branch.leaf))
    try two.store.update(contentsOf: branch.list)
    #expect(
      branch.leaf?.isSameRow(as: try #require(two.store.object(of: Leaf.self).first)) == true)
    try one.store.update(branch)
    expect(try one.store.object(of: Branch.self, primary: "a"))
    expect(branch)
  }

  @Test(.requires(.files)) func aFailedSaveInAnotherDatabaseKeepsTheGraphInItsOwn() throws {
    let (one, two) = (try CountedStore(), try CountedStore())
    try one.store.update(makeBranch())
    try two.store.update(Branch("b"))
    try two.scratch.raw().execute(
      """
      CREATE TRIGGER no BEFORE INSERT ON "magic_Branch.keyed" BEGIN
      SELECT RAISE(ABORT, 'no'); END
      """)
    let branch = try one.store.object(of: Branch.self, primary: "a")
    let zIndexes = branch.list.map(\.zIndex)
    #expect(throws: MagicError.self) { try two.store.update(branch) }
    #expect(branch.list.map(\.zIndex) == zIndexes)
    #expect(try one.costOfSaving(branch) == .nothing)
    branch.list.removeLast()
    #expect(try one.costOfSaving(branch).rows == 1)
    #expect(try two.count(of: Leaf.self) == 0)
  }
}

private struct Person: MagicObject {
  @MagicValue var name: String
  @MagicValue var boss: Person
  @OptionMagicValue var partner: Person?
  @MagicValue var friends: [Person] = []

  init() {}
  init(_ name: String) { self.name = name }
}
