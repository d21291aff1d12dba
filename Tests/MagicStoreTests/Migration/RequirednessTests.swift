import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Properties that become optional, or required.
@Suite struct RequirednessTests {
  let scratch = Scratch()

  /// A file with four objects, of which the second and third have no size.
  private func makeOld() throws {
    try scratch.using { store throws in
      for (name, size) in [("a", 1), ("b", nil), ("c", nil), ("d", 4)] {
        let item = Old.Item(name: name)
        item.size = size
        try store.update(item)
      }
    }
  }

  @Test func aRequiredColumnBecomesOptional() throws {
    try makeOld()
    try scratch.migrating(to: Looser.Item.self) { store, items throws in
      #expect(items.map(\.name) == ["a", "b", "c", "d"])
      #expect(items.map(\.size) == [1, nil, nil, 4])
      items[1].name = nil
      try store.update(items[1])
      #expect(try store.object(of: Looser.Item.self).map(\.name) == ["a", nil, "c", "d"])
    }
  }

  @Test func anOptionalColumnWithADefaultBecomesRequired() throws {
    enum New {
      struct Item: MagicObject {
        @MagicValue var name: String
        @MagicValue var size = 7
      }
    }
    try makeOld()
    try scratch.migrating(to: New.Item.self) { store, items throws in
      #expect(items.map(\.size) == [1, 7, 7, 4])
      #expect(items.map(\.name) == ["a", "b", "c", "d"])
      items[1].size = 8
      try store.update(items[1])
    }
    let connection = try scratch.raw()
    #expect(throws: SQLiteError.self) { try connection.execute("UPDATE Item SET size = NULL") }
  }

  @Test func anOptionalColumnWithoutNilBecomesRequired() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b"].map { Old.Item(name: $0) })
    }
    try scratch.migrating(to: Stricter.Item.self) { _, items throws in
      #expect(items.map(\.size) == [1, 1])
    }
  }

  @Test func anOptionalColumnWithNilDoesNotBecomeRequiredWithoutADefault() throws {
    try makeOld()
    try scratch.expectNoMigration(
      to: Stricter.Item.self, property: "size", naming: ["Item", "size", "rows 2, 3"])
  }

  @Test func theErrorNamesTheFirstFiveRowsWithNil() throws {
    try scratch.using { store throws in
      try store.update(
        contentsOf: (0..<9).map { number in
          let item = Old.Item(name: "\(number)")
          item.size = nil
          return item
        })
    }
    try scratch.expectNoMigration(
      to: Stricter.Item.self, property: "size", naming: ["rows 1, 2, 3, 4, 5 and others"])
  }

  @Test func anEmptyTableChangesInBothDirections() throws {
    try makeOld()
    try scratch.using { store in try store.removeAll(of: Old.Item.self) }
    try scratch.migrating(to: Stricter.Item.self) { _, items throws in #expect(items.isEmpty) }
    try scratch.migrating(to: Looser.Item.self) { _, items throws in #expect(items.isEmpty) }
  }

  @Test func bothDirectionsTogetherAreOneRebuild() throws {
    enum New {
      struct Item: MagicObject {
        @OptionMagicValue var name: String?
        @MagicValue var size = 7
      }
    }
    try makeOld()
    let recorder = Recorder<String>()
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
      #expect(try store.object(of: New.Item.self).map(\.size) == [1, 7, 7, 4])
    }
    #expect(recorder.all.filter { $0.hasPrefix("CREATE TABLE \"magic_new Item\"") }.count == 1)
    try scratch.expectAsNew(New.Item.self)
  }

  // MARK: Relationships

  private enum Led {
    struct Owner: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      init() {}
      init(_ name: String, _ leaf: Leaf?) {
        self.name = name
        self.leaf = leaf
      }
    }
  }

  private enum Bound {
    struct Owner: MagicObject {
      @MagicValue var name: String
      @MagicValue var leaf: Leaf
    }
  }

  @Test func anOptionalToOneBecomesRequired() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: [Led.Owner("a", Leaf(1)), Led.Owner("b", Leaf(2))])
    }
    try scratch.migrating(to: Bound.Owner.self) { store, owners throws in
      #expect(owners.map(\.leaf.number) == [1, 2])
      // The delete rule of a required one is deny.
      let error = #expect(throws: MagicError.self) { try store.remove(owners[0].leaf) }
      #expect(error?.code == .stillReferenced)
    }
  }

  @Test func anOptionalToOneWithNilDoesNotBecomeRequired() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: [Led.Owner("a", Leaf(1)), Led.Owner("b", nil)])
    }
    try scratch.expectNoMigration(to: Bound.Owner.self, property: "leaf", naming: ["row 2"])
  }

  @Test func aRequiredToOneBecomesOptional() throws {
    try scratch.using { store throws in
      let owner = Bound.Owner()
      (owner.name, owner.leaf) = ("a", Leaf(1))
      try store.update(owner)
    }
    try scratch.migrating(to: Led.Owner.self) { store, owners throws in
      #expect(owners.map { $0.leaf?.number } == [1])
      try store.remove(try #require(owners[0].leaf))
      #expect(try store.object(of: Led.Owner.self).map { $0.leaf?.number } == [nil])
    }
  }
}
