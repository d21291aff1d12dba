import EngineConformance
import MagicRelations
import MagicSchema
import MagicSQLite
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// A single object with one collection is fetched with fewer statements than several.
@Suite(.everyEngine) struct OneOwnerTests {
  fileprivate struct Folder: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var notes: [Note] = []

    init() {}
  }

  fileprivate struct Note: MagicObject {
    @MagicValue var text: String
    @OptionMagicValue var parent: Note?
    @MagicValue var replies: [Note] = []

    init() {}

    init(_ text: String) { self.text = text }
  }

  fileprivate struct Branch: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var list: [Leaf] = []

    init() {}
  }

  fileprivate struct Index: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var entries: [String: Leaf] = [:]

    init() {}
  }

  fileprivate struct Grove: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var leaves: MagicalSet<Leaf> = []

    init() {}
  }

  fileprivate struct Leaf: MagicObject {
    @MagicValue var number: Int

    init() {}

    init(_ number: Int) { self.number = number }
  }

  private let store: MagicObjectStore

  init() throws { store = try MagicObjectStore.onTestedEngine(.memory) }

  @Test func membersThatReferToTheirOwnTypeAreFetchedWithTheirReferences() throws {
    let folder = Folder()
    let (first, second) = (Note("first"), Note("second"))
    second.parent = first
    second.replies = [first, Note("third")]
    folder.notes = [first, second]
    try store.update(folder)
    for fetched in [
      try store.object(of: Folder.self, primary: folder.name),
      try #require(try store.object(of: Folder.self).first),
    ] {
      #expect(fetched.notes[1].parent?.text == "first")
      #expect(fetched.notes[1].replies.map(\.text) == ["first", "third"])
      #expect(fetched.notes[0].parent == nil)
    }
  }

  @Test func aListKeepsItsOrderAndItsDuplicates() throws {
    let leaves = (0..<5).map { Leaf($0) }
    try store.update(contentsOf: leaves)
    let order = [4, 0, 4, 2, 2, 3, 0, 1]
    let branch = Branch()
    branch.list = order.map { leaves[$0] }
    try store.update(branch)
    let fetched = try store.object(of: Branch.self, primary: branch.name)
    #expect(fetched.list.map(\.number) == order)
    fetched.list[0].number = 40
    #expect(fetched.list[2].number == 40)
    #expect(fetched.list[1].number == 0)
  }

  @Test func severalKeysOfADictionaryReferToOneMember() throws {
    let (first, second) = (Leaf(1), Leaf(2))
    let index = Index()
    index.entries = ["a": second, "b": first, "c": second]
    try store.update(index)
    let fetched = try store.object(of: Index.self, primary: index.name)
    #expect(fetched.entries.mapValues(\.number) == ["a": 2, "b": 1, "c": 2])
    fetched.entries["a"]?.number = 20
    #expect(fetched.entries["c"]?.number == 20)
  }

  @Test func aSetAndAnEmptyListAreFetched() throws {
    let grove = Grove()
    grove.leaves = [Leaf(3), Leaf(1)]
    try store.update(grove)
    let fetched = try store.object(of: Grove.self, primary: grove.name)
    #expect(Set(fetched.leaves.map(\.number)) == [1, 3])
    let branch = Branch()
    try store.update(branch)
    #expect(try store.object(of: Branch.self, primary: branch.name).list.isEmpty)
  }

  @Test(.requires(.files)) func theErrorOfAJoinRowToAMissingRowNamesBoth() throws {
    let scratch = Scratch()
    try scratch.using { store throws in
      let branch = Branch()
      branch.name = "oak"
      branch.list = [Leaf(1), Leaf(2), Leaf(3)]
      try store.update(branch)
    }
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute("DELETE FROM Leaf WHERE z_index = 2")
    connection.close()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) {
        _ = try store.object(of: Branch.self, primary: "oak")
      }
      #expect(error?.code == .brokenReference)
      #expect(error?.message.contains("Row 1 refers to row 2,") == true)
      #expect(error?.property == "list")
    }
  }
}
