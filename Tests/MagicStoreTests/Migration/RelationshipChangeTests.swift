import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// A file with the relationships of an older program; `Tree` in its versions.
@Suite struct RelationshipChangeTests {
  let scratch = Scratch()

  private func makePlain() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Plain.Tree($0) })
    }
  }

  private func makeWhole() throws {
    try scratch.using { store throws in
      for name in ["a", "b"] {
        let tree = Whole.Tree(name)
        let leaves = ["1", "2"].map { Needle(name + $0) }
        (tree.leaf, tree.list, tree.set) = (leaves[0], leaves, MagicalSet(leaves))
        tree.named = ["x": leaves[1]]
        try store.update(tree)
      }
    }
  }

  private func expectWhole(at location: SourceLocation = #_sourceLocation) throws {
    try scratch.using { store throws in
      let trees = try store.object(of: Whole.Tree.self)
      #expect(trees.map(\.name) == ["a", "b"], sourceLocation: location)
      #expect(trees.map { $0.leaf?.text } == ["a1", "b1"], sourceLocation: location)
      for tree in trees {
        let texts = [tree.name + "1", tree.name + "2"]
        #expect(tree.list.map(\.text) == texts, sourceLocation: location)
        #expect(tree.set.map(\.text).sorted() == texts, sourceLocation: location)
        #expect(tree.named.mapValues(\.text) == ["x": texts[1]], sourceLocation: location)
      }
    }
  }

  // MARK: Added

  @Test func relationshipsAreAdded() throws {
    try makePlain()
    try scratch.using { store throws in
      // A read is enough.
      let trees = try store.object(of: Whole.Tree.self)
      #expect(trees.map(\.name) == ["a", "b", "c"])
      #expect(trees.allSatisfy { $0.leaf == nil && $0.list.isEmpty && $0.set.isEmpty })
      let leaves = [Needle("1"), Needle("2")]
      (trees[1].leaf, trees[1].list, trees[1].named) = (leaves[0], leaves, ["x": leaves[1]])
      try store.update(trees[1])
    }
    try scratch.using { store throws in
      let tree = try store.object(of: Whole.Tree.self)[1]
      #expect(tree.leaf?.text == "1")
      #expect(tree.list.map(\.text) == ["1", "2"])
      // The rules apply to the added column too.
      try store.removeAll(of: Needle.self)
      #expect(try store.object(of: Whole.Tree.self)[1].leaf == nil)
      #expect(try store.object(of: Whole.Tree.self)[1].list.isEmpty)
    }
    try scratch.expectAsNew(Whole.Tree.self)
  }

  @Test func aSaveAddsRelationshipsToo() throws {
    try makePlain()
    try scratch.using { store throws in
      let tree = Whole.Tree("d")
      tree.set = [Needle("1")]
      try store.update(tree)
      #expect(try store.object(of: Whole.Tree.self).map(\.set.count) == [0, 0, 0, 1])
    }
  }

  @Test func aNewRequiredToOneIsRefusedWithoutADeclaration() throws {
    try makePlain()
    try scratch.expectNoMigration(
      to: MoreRequired.Tree.self, property: "leaf", naming: ["required", "default"])
  }

  // MARK: Dropped

  @Test func aToOneWithAReferenceIsNotDropped() throws {
    try makeWhole()
    try scratch.expectNoMigration(
      to: Less.ToOne.Tree.self, naming: ["leaf is dropped", "2 rows", ".deleteValue"])
    try expectWhole()
  }

  @Test func aCollectionWithMembersIsNotDropped() throws {
    try makeWhole()
    let plan = try scratch.expectNoMigration(
      to: Less.List.Tree.self, naming: ["list is dropped", "4 join rows", ".deleteValue"])
    #expect(plan?.kind == .destroying)
    try expectWhole()
  }

  @Test func thePlanHasEveryRefusedChange() throws {
    try makeWhole()
    let plan = try scratch.expectNoMigration(to: Less.All.Tree.self)
    #expect(plan?.refused.count == 3)
  }

  @Test func emptyRelationshipsAreDropped() throws {
    try scratch.using { store throws in
      let tree = Whole.Tree("a")
      (tree.list, tree.leaf) = ([Needle("1")], Needle("2"))
      try store.update(tree)
      (tree.list, tree.leaf) = ([], nil)
      try store.update(tree)
    }
    try scratch.migrating(to: Plain.Tree.self) { store, trees throws in
      #expect(trees.map(\.name) == ["a"])
      // The objects are kept.
      #expect(try store.object(of: Needle.self).count == 2)
      try store.remove(trees[0])
      try store.update(Plain.Tree("b"))
    }
    #expect(
      try scratch.raw().integer("SELECT count(*) FROM sqlite_master WHERE name LIKE 'magic_Tree%'")
        == 0)
  }

  // MARK: Changed

  @Test func aListBecomesASet() throws {
    try makeWhole()
    try scratch.migrating(to: Other.Kind.Tree.self) { _, trees throws in
      #expect(trees.map { $0.list.map(\.text).sorted() } == [["a1", "a2"], ["b1", "b2"]])
      #expect(trees.map { $0.named.mapValues(\.text) } == [["x": "a2"], ["x": "b2"]])
    }
  }

  @Test func anotherKeyTypeIsRefusedWithoutADeclaration() throws {
    try makeWhole()
    try scratch.expectNoMigration(to: Other.Key.Tree.self, property: "named")
    try expectWhole()
  }

  @Test func anotherTargetIsRefusedWithoutADeclaration() throws {
    try makeWhole()
    try scratch.expectNoMigration(to: Other.Target.Tree.self, property: "set")
    try expectWhole()
  }

  @Test func anotherTargetOfAToOneIsRefusedWithoutADeclaration() throws {
    try makeWhole()
    try scratch.expectNoMigration(to: Other.ToOneTarget.Tree.self, property: "leaf")
    try expectWhole()
  }

  @Test func aNumberInPlaceOfAToOneIsRefusedWithoutADeclaration() throws {
    try makeWhole()
    try scratch.expectNoMigration(to: Other.Number.Tree.self, property: "leaf")
    try expectWhole()
  }

  @Test func aCollectionIsRenamed() throws {
    try makeWhole()
    try scratch.migrating(to: Other.CollectionName.Tree.self) { store, trees throws in
      #expect(trees.map { $0.leaves.map(\.text) } == [["a1", "a2"], ["b1", "b2"]])
      trees[0].leaves.append(Needle("a3"))
      trees[1].leaves.removeAll()
      try store.update(contentsOf: trees)
      #expect(
        try store.object(of: Other.CollectionName.Tree.self).map { $0.leaves.map(\.text) }
          == [["a1", "a2", "a3"], []])
    }
  }

  @Test func aToOneIsRenamed() throws {
    try makeWhole()
    try scratch.using { store throws in
      let trees = try store.object(of: Other.Name.Tree.self)
      #expect(trees.map { $0.top?.text } == ["a1", "b1"])
      // The catalogue has only the new name of the relationship.
      try store.remove(try #require(trees[0].top))
      #expect(try store.object(of: Other.Name.Tree.self).map { $0.top?.text } == [nil, "b1"])
      try store.remove(trees[1])
    }
    try scratch.expectAsNew(Other.Name.Tree.self)
  }

  // MARK: Two types of one table

  @Test func relationshipsThatDifferConflict() throws {
    func expectConflict<Second: MagicObject>(
      _ second: Second.Type, at location: SourceLocation = #_sourceLocation
    ) throws {
      let scratch = Scratch()
      for writes in [true, false] {
        try scratch.using { store throws in
          if writes {
            let tree = Whole.Tree("a")
            tree.list = [Needle("1")]
            try store.update(tree)
          } else {
            #expect(try store.object(of: Whole.Tree.self)[0].list.count == 1)
          }
          for call in [
            { _ = try store.object(of: second) }, { _ = try store.update(Second()) },
          ] {
            let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
            #expect(error?.code == .tableConflict, sourceLocation: location)
          }
          #expect(try store.object(of: Whole.Tree.self).count == 1, sourceLocation: location)
        }
      }
    }
    try expectConflict(Less.List.Tree.self)
    try expectConflict(Less.All.Tree.self)
    try expectConflict(Other.Kind.Tree.self)
    try expectConflict(Other.Key.Tree.self)
    try expectConflict(Other.Target.Tree.self)
    try expectConflict(Other.Rule.Tree.self)
    try expectConflict(Other.ToOneRule.Tree.self)
    try expectConflict(Other.Number.Tree.self)
  }
}
