import EngineConformance
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Lists that become owned, or are no longer owned, and changes of their owners and members.
@Suite struct OwnedListMigrationTests {
  let scratch = Scratch()

  // Each is one version of a crate or of a bolt.

  enum List {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue var bolts: [Bolt] = []
    }
  }

  enum Sets {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue var bolts: MagicalSet<Bolt> = []
    }
  }

  enum ToOne {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @OptionMagicValue var bolts: Bolt?
    }
  }

  enum Without {
    struct Crate: MagicObject {
      @MagicValue var name = ""
    }
  }

  enum Owning {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned) var bolts: [Bolt] = []
    }
  }

  enum Cascading {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned, .onDelete(.cascade)) var bolts: [Bolt] = []
    }
  }

  enum Denying {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned, .onDelete(.deny)) var bolts: [Bolt] = []
    }
  }

  enum Renamed {
    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned, .onDelete(.deny), .wasNamed("bolts")) var content: [Bolt] = []
    }
  }

  struct Chest: MagicObject {
    static var wasNamed: [String] { ["Crate"] }
    @MagicValue var name = ""
    @MagicValue(.owned, .onDelete(.deny)) var bolts: [Bolt] = []
  }

  struct Bolt: MagicObject {
    @MagicValue var number: Int = 0

    init() {}
    init(_ number: Int) { self.number = number }
  }

  enum Later {
    /// The table must be rebuilt.
    struct Bolt: MagicObject {
      @OptionMagicValue var number: String?
    }

    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned, .onDelete(.deny)) var bolts: [Bolt] = []
    }
  }

  enum Computed {
    /// A closure changes every row.
    struct Bolt: MagicObject {
      @MagicValue var number: Int = 0
      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformRows { old, new in
                try new.set("number", to: (old.value("number", as: Int.self) ?? 0) + 100)
              }
            ]
          }
        }
      }
    }

    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned) var bolts: [Bolt] = []
    }
  }

  enum Screws {
    struct Screw: MagicObject {
      static var wasNamed: [String] { ["Bolt"] }
      @MagicValue var number: Int = 0
    }

    struct Crate: MagicObject {
      @MagicValue var name = ""
      @MagicValue(.owned, .onDelete(.deny)) var bolts: [Screw] = []
    }
  }

  /// A tree whose table refers to itself.
  enum Trees {
    struct Branch: MagicObject {
      @MagicValue var number: Int = 0
      @MagicValue(.owned) var branches: [Branch] = []

      init() {}
      init(_ number: Int, _ branches: [Branch]) {
        (self.number, self.branches) = (number, branches)
      }
    }

    enum Later {
      struct Branch: MagicObject {
        @OptionMagicValue var number: String?
        @MagicValue(.owned, .onDelete(.cascade), .wasNamed("branches")) var twigs: [Branch] = []
      }
    }

    enum Joined {
      /// The table is rebuilt, and the list is no longer owned.
      struct Branch: MagicObject {
        @OptionMagicValue var number: String?
        @MagicValue var branches: [Branch] = []
      }
    }

    struct Limb: MagicObject {
      static var wasNamed: [String] { ["Branch"] }
      @MagicValue var number: Int = 0
      @MagicValue(.owned, .onDelete(.deny)) var branches: [Limb] = []
    }
  }

  private let numbers = [[3, 1, 2], [], [5, 4]]

  private func make<Crate: MagicObject>(
    _ type: Crate.Type, _ list: WritableKeyPath<Crate, [Bolt]>
  ) throws {
    try scratch.using { store throws in
      for bolts in numbers {
        var crate = Crate()
        crate[keyPath: list] = bolts.map { Bolt($0) }
        try store.update(crate)
      }
      try store.update(Bolt(9))
    }
  }

  private func makeOwned() throws { try make(Owning.Crate.self, \.bolts) }

  /// Expects the lists, and that they can be changed.
  private func expectLists<Crate: MagicObject>(
    _ type: Crate.Type, _ list: WritableKeyPath<Crate, [Bolt]>,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try scratch.using { store throws in
      var crates = try store.object(of: Crate.self)
      let found = crates.map { $0[keyPath: list].map(\.number) }
      #expect(found == numbers, sourceLocation: location)
      crates[0][keyPath: list].insert(crates[2][keyPath: list].removeLast(), at: 1)
      try store.update(contentsOf: [crates[2], crates[0]])
      #expect(
        try store.object(of: Crate.self).map { $0[keyPath: list].map(\.number) }
          == [[3, 4, 1, 2], [], [5]], sourceLocation: location)
      #expect(try store.verify().findings == [], sourceLocation: location)
    }
    try scratch.expectWhole(sourceLocation: location)
  }

  @Test func aListBecomesOwned() throws {
    try make(List.Crate.self, \.bolts)
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: Owning.Crate.self)
      #expect(plan.kind == .rewriting)
      #expect(plan.steps.map(\.summary) == ["bolts becomes an owned list"])
    }
    try expectLists(Owning.Crate.self, \.bolts)
    #expect(
      try scratch.raw().texts(
        "SELECT kind || ifnull(link_table, '') FROM magic_relationships") == ["owned"])
    #expect(
      try scratch.raw().texts("SELECT name FROM sqlite_master WHERE name = 'magic_Crate.bolts'")
        == [])
  }

  @Test func aListWithAMemberOfTwoOwnersIsRefused() throws {
    try scratch.using { store throws in
      let bolts = (1...3).map { Bolt($0) }
      for list in [[0, 1], [1, 2, 2]] {
        let crate = List.Crate()
        crate.bolts = list.map { bolts[$0] }
        try store.update(crate)
      }
    }
    try scratch.expectNoMigration(
      to: Owning.Crate.self, property: "bolts",
      naming: ["rows 2, 3 of the members are in it more than once"])
    try scratch.using { store throws in
      #expect(try store.object(of: List.Crate.self).map { $0.bolts.count } == [2, 3])
    }
  }

  @Test func anOwnedListBecomesAListAndOwnedAgain() throws {
    try makeOwned()
    try scratch.using { store throws in
      let plan = try store.migrationPlan(for: List.Crate.self)
      #expect(plan.kind == .rewriting)
      #expect(plan.steps.map(\.summary) == ["bolts is no longer owned"])
      try store.migrate(List.Crate.self)
      #expect(try store.object(of: List.Crate.self).map { $0.bolts.map(\.number) } == numbers)
    }
    for _ in 1...2 {
      try scratch.using { store throws in try store.migrate(Owning.Crate.self) }
      try scratch.using { store throws in try store.migrate(List.Crate.self) }
    }
    try expectLists(Owning.Crate.self, \.bolts)
    // The rest of the old columns is dropped when the table of the members is rebuilt.
    try scratch.using { store throws in
      try store.migrate(Later.Crate.self)
      let crates = try store.object(of: Later.Crate.self)
      #expect(crates.map { $0.bolts.map(\.number) } == [["3", "4", "1", "2"], [], ["5"]])
    }
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Bolt')")
        == ["z_index", "number", "Crate.bolts owner", "Crate.bolts position"])
    #expect(
      try scratch.raw().texts(
        "SELECT name FROM sqlite_master WHERE name LIKE 'magic!_%deleted%' ESCAPE '!'")
        == [])
    try scratch.expectWhole()
  }

  @Test func setsAndToOnesBecomeOwned() throws {
    try scratch.using { store throws in
      let crate = Sets.Crate()
      crate.bolts = [Bolt(1), Bolt(2)]
      try store.update(crate)
    }
    try scratch.using { store throws in
      #expect(
        try store.object(of: Owning.Crate.self).map { $0.bolts.map(\.number).sorted() } == [[1, 2]])
    }
    try scratch.using { store throws in
      #expect(
        try store.object(of: Sets.Crate.self).map { $0.bolts.map(\.number).sorted() } == [[1, 2]])
      #expect(try store.verify().findings == [])
    }
    let other = Scratch()
    try other.using { store throws in
      for number in [1, 2] {
        let crate = ToOne.Crate()
        crate.bolts = Bolt(number)
        try store.update(crate)
      }
    }
    try other.using { store throws in
      #expect(
        try store.object(of: Owning.Crate.self).map { $0.bolts.map(\.number) } == [[1], [2]])
    }
    try other.using { store throws in
      #expect(try store.object(of: ToOne.Crate.self).map(\.bolts?.number) == [1, 2])
      #expect(try store.verify().findings == [])
    }
    try other.expectWhole()
  }

  @Test func theDeleteRuleChanges() throws {
    try makeOwned()
    try expectLists(Cascading.Crate.self, \.bolts)
    try scratch.using { store throws in
      try store.remove(try store.object(of: Cascading.Crate.self)[0])
      #expect(try store.object(of: Bolt.self).map(\.number).sorted() == [5, 9])
    }
    try scratch.using { store throws in
      let crates = try store.object(of: Denying.Crate.self)
      #expect(code { try store.remove(crates[1].bolts[0]) } == .stillReferenced)
    }
    try scratch.using { store throws in
      try store.remove(try store.object(of: Owning.Crate.self)[1].bolts[0])
    }
    try scratch.expectWhole()
  }

  @Test func theListAndItsOwnersAreRenamed() throws {
    try makeOwned()
    try expectLists(Renamed.Crate.self, \.content)
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Bolt')")
        == ["z_index", "number", "Crate.content owner", "Crate.content position"])
  }

  @Test func theTableOfTheOwnersIsRenamed() throws {
    try make(Denying.Crate.self, \.bolts)
    try expectLists(Chest.self, \.bolts)
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Bolt')")
        == ["z_index", "number", "Chest.bolts owner", "Chest.bolts position"])
    try scratch.using { store throws in
      let bolt = try store.object(of: Chest.self)[0].bolts[0]
      #expect(code { try store.remove(bolt) } == .stillReferenced)
    }
  }

  @Test func theTableOfTheMembersIsRenamed() throws {
    try make(Denying.Crate.self, \.bolts)
    try scratch.using { store throws in
      let crates = try store.object(of: Screws.Crate.self)
      #expect(crates.map { $0.bolts.map(\.number) } == numbers)
      #expect(code { try store.remove(crates[0].bolts[0]) } == .stillReferenced)
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func theMembersTableIsRebuilt() throws {
    try make(Denying.Crate.self, \.bolts)
    try scratch.using { store throws in
      // The members' type alone.
      #expect(try store.object(of: Later.Bolt.self).count == 6)
      let crates = try store.object(of: Later.Crate.self)
      #expect(crates.map { $0.bolts.map(\.number) } == numbers.map { $0.map { "\($0)" } })
      #expect(code { try store.remove(crates[0].bolts[0]) } == .stillReferenced)
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func ownersAndMembersChangeInOnePlan() throws {
    try make(List.Crate.self, \.bolts)
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Later.Crate.self).steps.count == 2)
      try store.migrate(Later.Crate.self)
      let crates = try store.object(of: Later.Crate.self)
      #expect(crates.map { $0.bolts.map(\.number) } == numbers.map { $0.map { "\($0)" } })
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func aClosureKeepsTheOwners() throws {
    try makeOwned()
    try scratch.using { store throws in
      let crates = try store.object(of: Computed.Crate.self)
      #expect(crates.map { $0.bolts.map(\.number) } == numbers.map { $0.map { $0 + 100 } })
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func aListThatIsRemovedNeedsADeclaration() throws {
    try makeOwned()
    try scratch.expectNoMigration(
      to: Without.Crate.self, property: nil, naming: ["bolts", "5 join rows", ".deleteValue"])
    try scratch.using { store throws in
      let crates = try store.object(of: Owning.Crate.self)
      for crate in crates { crate.bolts = [] }
      try store.update(contentsOf: crates)
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Without.Crate.self).count == 3)
      try store.remove(try store.object(of: Without.Crate.self)[0])
    }
    try scratch.using { store throws in
      #expect(try store.object(of: Owning.Crate.self).map(\.bolts.count) == [0, 0])
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
  }

  @Test func aTreeChangesWithItsOwnTable() throws {
    typealias Branch = Trees.Branch
    try scratch.using { store throws in
      try store.update(Branch(1, [Branch(3, []), Branch(2, [Branch(4, [])])]))
    }
    try scratch.using { store throws in
      let limbs = try store.object(of: Trees.Limb.self)
      #expect(limbs[0].branches.map(\.number) == [3, 2])
      #expect(code { try store.remove(limbs[0].branches[0]) } == .stillReferenced)
      #expect(try store.verify().findings == [])
    }
    try scratch.expectWhole()
    let other = Scratch()
    try other.using { store throws in
      try store.update(Branch(1, [Branch(3, []), Branch(2, [Branch(4, [])])]))
    }
    try other.using { store throws in
      let later = try store.object(of: Trees.Later.Branch.self)
      #expect(later[0].twigs.map(\.number) == ["3", "2"])
      try store.remove(later[0])
      #expect(try store.object(of: Trees.Later.Branch.self).isEmpty)
      #expect(try store.verify().findings == [])
    }
    try other.expectWhole()
  }

  @Test func aTreeThatIsRebuiltIsNoLongerOwned() throws {
    typealias Branch = Trees.Branch
    try scratch.using { store throws in
      try store.update(Branch(1, [Branch(3, []), Branch(2, [Branch(4, [])])]))
    }
    try scratch.using { store throws in
      let branches = try store.object(of: Trees.Joined.Branch.self)
      #expect(branches[0].branches.map(\.number) == ["3", "2"])
      #expect(try store.verify().findings == [])
    }
    #expect(
      try scratch.raw().texts("SELECT name FROM pragma_table_info('Branch')")
        == ["z_index", "number"])
    try scratch.expectWhole()
  }

  @Test func aMemberWithTheNameOfAnOwnersColumnIsRefused() throws {
    struct Bad: MagicObject {
      @MagicValue(.named("Holder.bads owner")) var number: Int = 0
    }
    struct Holder: MagicObject {
      @MagicValue(.owned) var bads: [Bad] = []
    }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(Holder()) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.message.contains("Holder.bads owner") == true)
    }
  }

  @Test func aReadOnlyFileOfAnotherVersionIsRefused() throws {
    try makeOwned()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.object(of: Owning.Crate.self).map { $0.bolts.map(\.number) } == numbers)
    }
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(code { _ = try store.object(of: List.Crate.self) } == .needsMigration)
    }
  }
}
