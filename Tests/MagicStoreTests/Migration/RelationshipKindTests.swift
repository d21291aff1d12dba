import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Magical
import TestModels
import Testing

/// Relationships that become relationships of another kind.
@Suite struct RelationshipKindTests {
  let scratch = Scratch()

  // Each is one version of a box.

  enum ToOne {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var leaves: Leaf?
    }
  }

  enum Required {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: Leaf
    }
  }

  enum List {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: [Leaf] = []
    }
  }

  enum Sets {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: MagicalSet<Leaf> = []
    }
  }

  enum Keyed {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: [String: Leaf] = [:]
    }
  }

  enum Numbered {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: [Int: Leaf] = [:]
    }
  }

  enum Number {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var leaves: Int?
    }
  }

  enum OfNotes {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: [Note] = []
    }
  }

  enum OfOneNote {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var leaves: Note?
    }
  }

  fileprivate static var declared: Migrations {
    Migrations { MigrationStep { [.convertValue(name: "leaves")] } }
  }

  enum DeclaredToOne {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var leaves: Leaf?
      static var migrations: Migrations { RelationshipKindTests.declared }
    }
  }

  enum DeclaredSet {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: MagicalSet<Leaf> = []
      static var migrations: Migrations { RelationshipKindTests.declared }
    }
  }

  enum DeclaredList {
    struct Box: MagicObject {
      @MagicValue var name = ""
      @MagicValue var leaves: [Leaf] = []
      static var migrations: Migrations { RelationshipKindTests.declared }
    }
  }

  /// Boxes with leaves of these numbers; leaves with the same number are one leaf.
  private func makeLists(_ numbers: [[Int]]) throws {
    try scratch.using { store throws in
      let leaves = (0...9).map { Leaf($0) }
      for list in numbers {
        let box = List.Box()
        box.leaves = list.map { leaves[$0] }
        try store.update(box)
      }
    }
  }

  private func makeToOnes() throws {
    try scratch.using { store throws in
      let leaf = Leaf(1)
      for number in [1, nil, 2, 1] {
        let box = ToOne.Box()
        box.leaves = number.map { $0 == 1 ? leaf : Leaf($0) }
        try store.update(box)
      }
    }
  }

  private func makeKeyed(_ keys: [[String: Int]]) throws {
    try scratch.using { store throws in
      let leaves = (0...9).map { Leaf($0) }
      for named in keys {
        let box = Keyed.Box()
        box.leaves = named.mapValues { leaves[$0] }
        try store.update(box)
      }
    }
  }

  // MARK: From one object

  @Test func oneObjectBecomesAListOfIt() throws {
    try makeToOnes()
    try scratch.migrating(to: List.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number) } == [[1], [], [2], [1]])
      boxes[0].leaves.append(Leaf(3))
      boxes[0].leaves.insert(Leaf(0), at: 0)
      try store.update(boxes[0])
      let again = try store.object(of: List.Box.self)
      #expect(again.map { $0.leaves.map(\.number) } == [[0, 1, 3], [], [2], [1]])
      try store.remove(again[0].leaves[1])
      #expect(
        try store.object(of: List.Box.self).map { $0.leaves.map(\.number) }
          == [[0, 3], [], [2], []])
    }
  }

  @Test func oneObjectBecomesASetOfIt() throws {
    try makeToOnes()
    try scratch.migrating(to: Sets.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number) } == [[1], [], [2], [1]])
      boxes[0].leaves.insert(try #require(boxes[2].leaves.first))
      try store.update(boxes[0])
      #expect(try store.object(of: Sets.Box.self)[0].leaves.map(\.number).sorted() == [1, 2])
    }
  }

  @Test func aRequiredObjectBecomesAListOfIt() throws {
    try scratch.using { store throws in
      let box = Required.Box()
      box.leaves = Leaf(5)
      try store.update(box)
    }
    try scratch.migrating(to: List.Box.self) { _, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number) } == [[5]])
    }
  }

  @Test func oneObjectHasNoKeyForADictionary() throws {
    try makeToOnes()
    try scratch.expectNoMigration(
      to: Keyed.Box.self, property: "leaves", naming: ["leaves", "3 rows", ".deleteValue"])
  }

  // MARK: To one object

  @Test func aListOfOneIsConvertedToTheObject() throws {
    try makeLists([[1], [], [2], [1]])
    try scratch.migrating(to: ToOne.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves?.number } == [1, nil, 2, 1])
      // Within one fetch a row is one object.
      #expect(boxes[0].leaves?.zIndex == boxes[3].leaves?.zIndex)
      try store.remove(try #require(boxes[0].leaves))
      #expect(
        try store.object(of: ToOne.Box.self).map { $0.leaves?.number } == [nil, nil, 2, nil])
    }
  }

  @Test func aListOfOneBecomesARequiredObject() throws {
    try makeLists([[1], [2]])
    try scratch.migrating(to: Required.Box.self) { store, boxes throws in
      #expect(boxes.map(\.leaves.number) == [1, 2])
      #expect(throws: MagicError.self) { try store.remove(boxes[0].leaves) }
    }
  }

  @Test func anEmptyListDoesNotBecomeARequiredObject() throws {
    try makeLists([[1], [], [2], []])
    try scratch.expectNoMigration(
      to: Required.Box.self, property: "leaves", naming: ["rows 2, 4", "required"])
  }

  @Test func aListOfSeveralDoesNotBecomeOneObject() throws {
    try makeLists([[1], [2, 3], [2, 2]])
    let plan = try scratch.expectNoMigration(
      to: ToOne.Box.self, property: "leaves", naming: ["rows 2, 3", ".convertValue"])
    #expect(plan?.kind == .destroying)
  }

  @Test func aListOfSeveralBecomesItsFirstObjectIfThatIsDeclared() throws {
    try makeLists([[1], [3, 2], [], [2, 2]])
    try scratch.migrating(to: DeclaredToOne.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves?.number } == [1, 3, nil, 2])
      // Objects that are no longer referred to are kept.
      #expect(try store.object(of: Leaf.self).map(\.number).sorted() == [1, 2, 3])
    }
  }

  @Test func aSetOfOneBecomesTheObject() throws {
    try scratch.using { store throws in
      let box = Sets.Box()
      box.leaves = [Leaf(1)]
      try store.update(contentsOf: [box, Sets.Box()])
    }
    try scratch.migrating(to: ToOne.Box.self) { _, boxes throws in
      #expect(boxes.map { $0.leaves?.number } == [1, nil])
    }
  }

  // MARK: List and set

  @Test func aListBecomesASet() throws {
    try makeLists([[1, 2, 3], [], [2]])
    try scratch.migrating(to: Sets.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number).sorted() } == [[1, 2, 3], [], [2]])
      boxes[0].leaves.remove(try #require(boxes[2].leaves.first))
      try store.update(boxes[0])
      #expect(try store.object(of: Sets.Box.self)[0].leaves.map(\.number).sorted() == [1, 3])
    }
  }

  @Test func aListWithDuplicatesDoesNotBecomeASet() throws {
    try makeLists([[1, 2], [3, 3], [1], [2, 3, 2]])
    try scratch.expectNoMigration(
      to: Sets.Box.self, property: "leaves",
      naming: ["rows 2, 4", "more than once", ".convertValue"])
  }

  @Test func aListWithDuplicatesBecomesASetIfThatIsDeclared() throws {
    try makeLists([[1, 2], [3, 3], [2, 3, 2]])
    try scratch.migrating(to: DeclaredSet.Box.self) { _, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number).sorted() } == [[1, 2], [3], [2, 3]])
    }
  }

  @Test func aSetBecomesAListInTheOrderOfItsRows() throws {
    try scratch.using { store throws in
      let leaves = (0..<5).map { Leaf($0) }
      try store.update(contentsOf: leaves)
      for members in [[4, 0, 2], [], [3]] {
        let box = Sets.Box()
        box.leaves = MagicalSet(members.map { leaves[$0] })
        try store.update(box)
      }
    }
    try scratch.migrating(to: List.Box.self) { store, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number) } == [[0, 2, 4], [], [3]])
      let added = (0..<60).map { Leaf(10 + $0) }
      boxes[0].leaves.insert(contentsOf: added, at: 1)
      try store.update(boxes[0])
      #expect(
        try store.object(of: List.Box.self)[0].leaves.map(\.number)
          == [0] + added.map(\.number) + [2, 4])
    }
  }

  // MARK: Dictionaries

  @Test func aDictionaryWithMembersLosesItsKeysOnlyIfThatIsDeclared() throws {
    try makeKeyed([["b": 1, "a": 2], [:], ["x": 1, "y": 1]])
    try scratch.expectNoMigration(
      to: List.Box.self, property: "leaves", naming: ["4 join rows", "keys", ".convertValue"])
    try scratch.expectNoMigration(
      to: Sets.Box.self, property: "leaves", naming: ["4 join rows", "keys", ".convertValue"])
    try scratch.migrating(to: DeclaredList.Box.self) { _, boxes throws in
      // In the order of the keys.
      #expect(boxes.map { $0.leaves.map(\.number) } == [[2, 1], [], [1, 1]])
    }
  }

  @Test func aDictionaryBecomesASetIfThatIsDeclared() throws {
    try makeKeyed([["b": 1, "a": 2], ["x": 1, "y": 1]])
    try scratch.migrating(to: DeclaredSet.Box.self) { _, boxes throws in
      #expect(boxes.map { $0.leaves.map(\.number).sorted() } == [[1, 2], [1]])
    }
  }

  @Test func anEmptyDictionaryBecomesAnyRelationship() throws {
    try makeKeyed([[:], [:]])
    try scratch.migrating(to: List.Box.self) { _, boxes throws in
      #expect(boxes.map(\.leaves.isEmpty) == [true, true])
    }
  }

  @Test func keysOfAnotherTypeAreRefused() throws {
    try makeKeyed([["1": 1]])
    try scratch.expectNoMigration(
      to: Numbered.Box.self, property: "leaves", naming: ["one join row"])
  }

  @Test func anEmptyDictionaryMayHaveAnotherKeyType() throws {
    try makeKeyed([[:]])
    try scratch.migrating(to: Numbered.Box.self) { store, boxes throws in
      boxes[0].leaves = [7: Leaf(7)]
      try store.update(boxes[0])
      #expect(try store.object(of: Numbered.Box.self)[0].leaves.mapValues(\.number) == [7: 7])
    }
  }

  @Test func aListHasNoKeysForADictionary() throws {
    try makeLists([[1, 2]])
    try scratch.expectNoMigration(
      to: Keyed.Box.self, property: "leaves",
      naming: ["list of Leaf", "2 join rows", ".deleteValue"])
  }

  // MARK: Another target

  @Test func aListOfOtherObjectsIsRefused() throws {
    try makeLists([[1, 2]])
    try scratch.expectNoMigration(
      to: OfNotes.Box.self, property: "leaves", naming: ["list of Leaf", "2 join rows"])
  }

  @Test func anEmptyListMayHaveAnotherTarget() throws {
    try makeLists([[], []])
    try scratch.migrating(to: OfNotes.Box.self) { store, boxes throws in
      boxes[1].leaves = [Note("n")]
      try store.update(boxes[1])
      #expect(try store.object(of: OfNotes.Box.self).map(\.leaves.count) == [0, 1])
    }
  }

  @Test func anObjectOfAnotherTypeIsRefused() throws {
    try makeToOnes()
    try scratch.expectNoMigration(
      to: OfOneNote.Box.self, property: "leaves", naming: ["a Leaf", "3 rows"])
  }

  @Test func anEmptyToOneMayHaveAnotherTarget() throws {
    try scratch.using { store in try store.update(ToOne.Box()) }
    try scratch.migrating(to: OfOneNote.Box.self) { store, boxes throws in
      boxes[0].leaves = Note("n")
      try store.update(boxes[0])
      #expect(try store.object(of: OfOneNote.Box.self).map { $0.leaves?.text } == ["n"])
    }
  }

  @Test func aNumberDoesNotBecomeAToOne() throws {
    try scratch.using { store throws in
      let box = Number.Box()
      box.leaves = 7
      try store.update(box)
    }
    try scratch.expectNoMigration(
      to: ToOne.Box.self, property: "leaves", naming: ["integer", "one row"])
    try scratch.expectNoMigration(to: List.Box.self, property: "leaves", naming: ["one row"])
  }

  @Test func aToOneDoesNotBecomeANumber() throws {
    try makeToOnes()
    try scratch.expectNoMigration(
      to: Number.Box.self, property: "leaves", naming: ["a Leaf", "3 rows"])
  }

  @Test func aListDoesNotBecomeANumber() throws {
    try makeLists([[1]])
    try scratch.expectNoMigration(
      to: Number.Box.self, naming: ["leaves is dropped", "one join row"])
  }

  @Test func anEmptyListMayBecomeANumber() throws {
    try makeLists([[], []])
    try scratch.migrating(to: Number.Box.self) { store, boxes throws in
      boxes[0].leaves = 3
      try store.update(boxes[0])
      #expect(try store.object(of: Number.Box.self).map(\.leaves) == [3, nil])
    }
  }

  // MARK: To the same type

  private enum Parents {
    struct Node: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var next: Node?
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  private enum Lists {
    struct Node: MagicObject {
      @MagicValue var name: String
      @MagicValue(.wasNamed("next")) var others: [Node] = []
    }
  }

  @Test func aCycleOfToOnesBecomesLists() throws {
    try scratch.using { store throws in
      let nodes = ["a", "b", "c"].map { Parents.Node($0) }
      for index in nodes.indices { nodes[index].next = nodes[(index + 1) % 3] }
      try store.update(nodes[0])
      nodes[2].next = nil
    }
    try scratch.migrating(to: Lists.Node.self) { store, nodes throws in
      #expect(nodes.count == 3)
      for node in nodes { #expect(node.others.count == 1) }
      let first = try #require(nodes.first { $0.name == "a" })
      #expect(first.others[0].others[0].others[0].zIndex == first.zIndex)
      try store.remove(first)
      let rest = try store.object(of: Lists.Node.self)
      #expect(rest.map(\.name).sorted() == ["b", "c"])
      #expect(rest.first { $0.name == "c" }?.others.isEmpty == true)
    }
  }

  // MARK: Inverse relationships

  @Test func theInverseRelationshipIsReadAfterTheMigration() async throws {
    enum Later {
      struct Fruit: MagicObject {
        @MagicValue var name = ""
        @ReverseMagicValue(\Basket.$fruits) var baskets: AsyncReverseMagicSet<Basket>
      }
      struct Basket: MagicObject {
        @MagicValue var name = ""
        @MagicValue(.wasNamed("fruit")) var fruits: [Fruit] = []
      }
    }
    enum Sooner {
      struct Fruit: MagicObject { @MagicValue var name = "" }
      struct Basket: MagicObject {
        @MagicValue var name = ""
        @OptionMagicValue var fruit: Fruit?
      }
    }
    func make() throws {
      try scratch.using { store throws in
        let fruit = Sooner.Fruit()
        for name in ["a", "b"] {
          let basket = Sooner.Basket()
          (basket.name, basket.fruit) = (name, fruit)
          try store.update(basket)
        }
      }
    }
    func open() throws -> (MagicObjectStore, Later.Fruit) {
      let store = try scratch.open()
      return (store, try store.object(of: Later.Fruit.self)[0])
    }
    try make()
    let (store, fruit) = try open()
    // No basket has been fetched yet: reading the inverse migrates its table.
    #expect(try await fruit.baskets.count == 2)
    var names: [String] = []
    for try await basket in fruit.baskets { names.append(basket.name) }
    #expect(names == ["a", "b"])
    store.close()
    try scratch.expectAsNew(Later.Basket.self, Later.Fruit.self)
  }
}
