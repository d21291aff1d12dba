import EngineConformance
import MagicRelations
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// Changes that a save has marked as stored are marked as changed again when it is rolled back: the
/// next save writes them.
@Suite(.everyEngine) struct RolledBackChangeTests {
  private struct Stop: Error {}

  private let scratch = Scratch()

  /// Runs the body and rolls it back.
  private func rollingBack(
    _ store: MagicObjectStore, _ body: (borrowing MagicTransaction) throws -> Void
  ) {
    #expect(throws: Stop.self) {
      try store.transaction { transaction in
        try body(transaction)
        throw Stop()
      }
    }
  }

  private func addLeaves(to branch: Branch) {
    branch.leaf = Leaf(1)
    branch.list.append(Leaf(2))
    branch.set.insert(Leaf(3))
    branch.keyed["a"] = Leaf(4)
  }

  private func expectLeaves(
    _ store: MagicObjectStore, at location: SourceLocation = #_sourceLocation
  ) throws {
    let stored = try #require(try store.object(of: Branch.self).first, sourceLocation: location)
    #expect(stored.leaf?.number == 1, sourceLocation: location)
    #expect(stored.list.map(\.number) == [2], sourceLocation: location)
    #expect(stored.set.map(\.number) == [3], sourceLocation: location)
    #expect(stored.keyed.mapValues(\.number) == ["a": 4], sourceLocation: location)
  }

  @Test func everyCollectionOfASaveThatIsRolledBackIsSavedLater() throws {
    try scratch.using { store throws in
      let branch = Branch("a")
      try store.update(branch)
      addLeaves(to: branch)
      rollingBack(store) { try $0.update(branch) }
      try store.update(branch)
      try expectLeaves(store)
    }
  }

  @Test func everyCollectionOfAFetchedObjectIsSavedLater() throws {
    try scratch.using { store throws in
      try store.update(Branch("a"))
      let branch = try store.object(of: Branch.self, primary: "a")
      addLeaves(to: branch)
      rollingBack(store) { try $0.update(branch) }
      try store.update(branch)
      try expectLeaves(store)
    }
  }

  @Test func everyCollectionOfANestedSaveIsSavedByTheOuterOne() throws {
    try scratch.using { store throws in
      let branch = Branch("a")
      try store.update(branch)
      addLeaves(to: branch)
      try store.transaction { transaction in
        #expect(throws: Stop.self) {
          try transaction.transaction { nested in
            try nested.update(branch)
            throw Stop()
          }
        }
        try transaction.update(branch)
      }
      try expectLeaves(store)
    }
  }

  @Test func everyCollectionIsSavedAfterAFailedVerb() throws {
    try scratch.using { store throws in
      let (branch, other) = (Branch("a"), Branch("b"))
      try store.update(contentsOf: [branch, other])
      addLeaves(to: branch)
      other.name = "a"
      let error = #expect(throws: MagicError.self) {
        try store.update(contentsOf: [branch, other])
      }
      #expect(error?.code == .notUnique)
      try store.update(branch)
      try expectLeaves(store)
    }
  }

  @Test func anObjectThatWasRemovedAndSavedAgainKeepsItsUnsavedValues() throws {
    try scratch.using { store throws in
      let note = Note("a")
      try store.update(note)
      let zIndex = note.zIndex
      note.text = "b"
      rollingBack(store) { transaction in
        try transaction.remove(note)
        try transaction.update(note)
      }
      #expect(note.zIndex == zIndex)
      try store.update(note)
      #expect(try store.object(of: Note.self).map(\.text) == ["b"])
    }
  }

  @Test func aFetchedObjectThatWasRemovedAndSavedAgainKeepsItsUnsavedValues() throws {
    try scratch.using { store throws in
      try store.update(Note("a"))
      let note = try #require(try store.object(of: Note.self).first)
      note.text = "b"
      rollingBack(store) { transaction in
        try transaction.remove(note)
        try transaction.update(note)
      }
      try store.update(note)
      #expect(try store.object(of: Note.self).map(\.text) == ["b"])
    }
  }

  @Test func aGraphThatWasRemovedAndSavedAgainKeepsItsUnsavedValues() throws {
    try scratch.using { store throws in
      let branch = Branch("a")
      try store.update(branch)
      addLeaves(to: branch)
      rollingBack(store) { transaction in
        try transaction.remove(branch)
        try transaction.update(branch)
      }
      try store.update(branch)
      try expectLeaves(store)
    }
  }

  @Test func aNestedRemovalAndSaveKeepUnsavedValues() throws {
    try scratch.using { store throws in
      let note = Note("a")
      try store.update(note)
      note.text = "b"
      try store.transaction { transaction in
        #expect(throws: Stop.self) {
          try transaction.transaction { nested in
            try nested.remove(note)
            try nested.update(note)
            throw Stop()
          }
        }
        try transaction.update(note)
      }
      #expect(try store.object(of: Note.self).map(\.text) == ["b"])
    }
  }

  @Test func aNestedSaveAfterARemovalKeepsUnsavedValues() throws {
    try scratch.using { store throws in
      let note = Note("a")
      try store.update(note)
      note.text = "b"
      rollingBack(store) { transaction in
        try transaction.remove(note)
        #expect(throws: Stop.self) {
          try transaction.transaction { nested in
            try nested.update(note)
            throw Stop()
          }
        }
        try transaction.update(note)
      }
      try store.update(note)
      #expect(try store.object(of: Note.self).map(\.text) == ["b"])
    }
  }
}
