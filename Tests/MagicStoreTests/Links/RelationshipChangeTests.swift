import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import Testing

/// A file whose relationships an older program made; `Tree` in its versions.
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

  /// All that the file holds of its shape.
  private func shape() throws -> [String] {
    let connection = try scratch.raw()
    return try connection.texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
      + connection.texts("SELECT table_name || type_name || fingerprint FROM magic_catalogue")
      + connection.texts(
        "SELECT owner_table || property || kind || target_table || on_delete "
          + "|| ifnull(link_table, '') FROM magic_relationships")
  }

  private func expectRefusal<Model: MagicObject>(
    _ type: Model.Type, _ property: String?, at location: SourceLocation = #_sourceLocation
  ) throws {
    try makeWhole()
    let before = try shape()
    for _ in 0..<2 {
      try scratch.using { store throws in
        for call in [
          { _ = try store.object(of: type) }, { _ = try store.update(Model()) },
          { _ = try store.removeAll(of: type) },
        ] {
          let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
          #expect(error?.code == .needsMigration, sourceLocation: location)
          #expect(error?.type == "Tree", sourceLocation: location)
          #expect(error?.property == property, sourceLocation: location)
        }
      }
    }
    #expect(try shape() == before, sourceLocation: location)
    try expectWhole(at: location)
  }

  // MARK: Gained

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
      // The rules hold in the added column too.
      try store.removeAll(of: Needle.self)
      #expect(try store.object(of: Whole.Tree.self)[1].leaf == nil)
      #expect(try store.object(of: Whole.Tree.self)[1].list.isEmpty)
    }
    let connection = try scratch.raw()
    #expect(try connection.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(
      try connection.texts("SELECT property FROM magic_relationships ORDER BY property")
        == ["leaf", "list", "named", "set"])
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

  @Test func aNewRequiredToOneNeedsADecision() throws {
    try makePlain()
    let before = try shape()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: MoreRequired.Tree.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.property == "leaf")
    }
    #expect(try shape() == before)
  }

  @Test func aReadOnlyFileHasWhatIsNewAsEmpty() throws {
    try makePlain()
    let before = try shape()
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      for _ in 0..<2 {
        let trees = try store.object(of: Whole.Tree.self)
        #expect(trees.map(\.name) == ["a", "b", "c"])
        #expect(trees.allSatisfy { $0.leaf == nil && $0.list.isEmpty })
        #expect(trees.allSatisfy { $0.set.isEmpty && $0.named.isEmpty })
      }
      #expect(try store.object(of: Needle.self).isEmpty)
    }
    #expect(try shape() == before)
  }

  @Test func aReadOnlyFileLeadsBackFromNothing() async throws {
    struct Nut: MagicObject {
      @MagicValue var text: String = "n"
      @ReverseMagicValue(\Later.Bush.$one) var ones: AsyncReverseMagicSet<Later.Bush>
      @ReverseMagicValue(\Later.Bush.$nuts) var bushes: AsyncReverseMagicSet<Later.Bush>
    }
    enum Sooner {
      struct Nut: MagicObject { @MagicValue var text: String = "n" }
      struct Bush: MagicObject { @MagicValue var name: String = "b" }
    }
    enum Later {
      struct Bush: MagicObject {
        @MagicValue var name: String = "b"
        @OptionMagicValue var one: Nut?
        @MagicValue var nuts: [Nut] = []
      }
    }
    func make() throws {
      try scratch.using { store throws in
        try store.update(Sooner.Nut())
        try store.update(Sooner.Bush())
      }
    }
    func open(readOnly: Bool) throws -> (ObjectStore, Nut) {
      let store = try scratch.open(StoreOptions(readOnly: readOnly))
      return (store, try store.object(of: Nut.self)[0])
    }
    try make()
    for readOnly in [true, false] {
      let (store, nut) = try open(readOnly: readOnly)
      #expect(try await nut.ones.count == 0)
      #expect(try await nut.bushes.count == 0)
      for try await _ in nut.ones { Issue.record("It leads nowhere.") }
      for try await _ in nut.bushes { Issue.record("It leads nowhere.") }
      store.close()
    }
  }

  // MARK: Lost

  @Test func aLostToOneNeedsADecision() throws {
    try expectRefusal(Less.ToOne.Tree.self, nil)
  }

  @Test func aLostCollectionNeedsADecision() throws {
    try expectRefusal(Less.List.Tree.self, nil)
  }

  @Test func allCollectionsLostNeedADecision() throws {
    try expectRefusal(Less.All.Tree.self, nil)
  }

  // MARK: Changed

  @Test func anotherKindNeedsADecision() throws {
    try expectRefusal(Other.Kind.Tree.self, "list")
  }

  @Test func anotherKeyNeedsADecision() throws {
    try expectRefusal(Other.Key.Tree.self, "named")
  }

  @Test func anotherTargetNeedsADecision() throws {
    try expectRefusal(Other.Target.Tree.self, "set")
  }

  @Test func anotherTargetOfAToOneNeedsADecision() throws {
    try expectRefusal(Other.ToOneTarget.Tree.self, "leaf")
  }

  @Test func anotherRuleNeedsADecision() throws {
    try expectRefusal(Other.Rule.Tree.self, "list")
  }

  @Test func anotherRuleOfAToOneNeedsADecision() throws {
    try expectRefusal(Other.ToOneRule.Tree.self, "leaf")
  }

  @Test func aNumberInPlaceOfAToOneNeedsADecision() throws {
    try expectRefusal(Other.Number.Tree.self, "leaf")
  }

  @Test func aToOneInPlaceOfANumberNeedsADecision() throws {
    try scratch.using { store throws in
      let tree = Numbered.Tree()
      (tree.name, tree.leaf) = ("a", 7)
      try store.update(tree)
    }
    let before = try shape()
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Related.Tree.self) }
      #expect(error?.code == .needsMigration)
      #expect(error?.property == "leaf")
    }
    #expect(try shape() == before)
  }

  @Test func aReadOnlyFileRefusesWhatHasChanged() throws {
    try makeWhole()
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      let refused: [() throws -> Void] = [
        { _ = try store.object(of: Other.Kind.Tree.self) },
        { _ = try store.object(of: Other.Key.Tree.self) },
        { _ = try store.object(of: Other.Target.Tree.self) },
        { _ = try store.object(of: Other.ToOneTarget.Tree.self) },
      ]
      for call in refused {
        let error = #expect(throws: MagicError.self) { try call() }
        #expect(error?.code == .needsMigration)
      }
    }
    try expectWhole()
  }

  @Test func aReadOnlyFileIsReadUnderOtherRulesAndWithLess() throws {
    try makeWhole()
    let before = try shape()
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Other.Rule.Tree.self).map(\.list.count) == [2, 2])
    }
    try scratch.using(StoreOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Less.List.Tree.self).map(\.set.count) == [2, 2])
    }
    #expect(try shape() == before)
  }

  @Test func aRenamedCollectionNeedsADecision() throws {
    try expectRefusal(Other.CollectionName.Tree.self, nil)
  }

  @Test func aToOneIsRenamed() throws {
    try makeWhole()
    try scratch.using { store throws in
      let trees = try store.object(of: Other.Name.Tree.self)
      #expect(trees.map { $0.top?.text } == ["a1", "b1"])
      // The catalogue knows the relationship by its new name alone.
      try store.remove(try #require(trees[0].top))
      #expect(try store.object(of: Other.Name.Tree.self).map { $0.top?.text } == [nil, "b1"])
      try store.remove(trees[1])
    }
    #expect(
      try scratch.raw().texts("SELECT property FROM magic_relationships ORDER BY property")
        == ["list", "named", "set", "top"])
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
