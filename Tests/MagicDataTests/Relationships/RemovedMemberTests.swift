import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// An owner's save never inserts an object again that was removed.
@Suite(.everyEngine) struct RemovedMemberTests {
  let scratch = Scratch()

  struct Pet: MagicObject {
    @MagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Chip: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String

    init() {}
    init(_ name: String) { (id, self.name) = (name, name) }
  }

  struct Owner: MagicObject {
    @MagicValue var title: Int = 0
    @OptionMagicValue var pet: Pet?
    @OptionMagicValue var chip: Chip?
    @MagicValue var pets: [Pet] = []
    @MagicValue var chips: MagicalSet<Chip> = []
    @MagicValue var named: [String: Pet] = [:]
    @MagicValue var chipped: [Int: Chip] = [:]

    init() {}

    /// Sets two members of each type in every relationship.
    init(_ pets: [Pet], _ chips: [Chip]) {
      hold(pets, chips)
    }

    func hold(_ pets: [Pet], _ chips: [Chip]) {
      (pet, chip, self.pets, self.chips) = (pets[0], chips[0], pets, MagicalSet(chips))
      named = ["0": pets[0], "1": pets[1]]
      chipped = [0: chips[0], 1: chips[1]]
    }
  }

  struct Keeper: MagicObject {
    @MagicValue var title: Int = 0
    @MagicValue var pet: Pet
  }

  /// The way in which the row is removed.
  enum Removal: CaseIterable {
    case object, fetched, otherHandle, rawSQL

    /// Whether the tested engine supports it.
    var isPossible: Bool {
      switch self {
      case .object, .fetched: true
      case .otherHandle, .rawSQL: TestedEngine.current.has(.files)
      }
    }
  }
  /// The change of the members before the owner is saved.
  enum Change: CaseIterable { case none, member, owner, link }

  private func remove<Model: MagicObject>(
    _ object: Model, _ removal: Removal, from magic: MagicData
  ) async throws {
    let zIndex = try #require(object.zIndex)
    switch removal {
    case .object: try await magic.remove(object)
    case .fetched:
      let all = try await magic.object(of: Model.self)
      try await magic.remove(try #require(all.first { $0.zIndex == zIndex }))
    case .otherHandle:
      let other = try await MagicData.onTestedEngine(path: scratch.file())
      let all = try await other.object(of: Model.self)
      try await other.remove(try #require(all.first { $0.zIndex == zIndex }))
      await other.close()
    case .rawSQL:
      try scratch.raw().execute("DELETE FROM \(Model.tableName) WHERE z_index = \(zIndex.rawValue)")
    }
  }

  private func expectSecondAlone(
    _ owner: Owner, _ place: String, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(owner.pet == nil, "\(place)", sourceLocation: location)
    #expect(owner.chip == nil, "\(place)", sourceLocation: location)
    #expect(owner.pets.map(\.name) == ["b"], "\(place)", sourceLocation: location)
    #expect(owner.chips.map(\.name) == ["b"], "\(place)", sourceLocation: location)
    #expect(owner.named.mapValues(\.name) == ["1": "b"], "\(place)", sourceLocation: location)
    #expect(owner.chipped.mapValues(\.name) == [1: "b"], "\(place)", sourceLocation: location)
  }

  /// Expects the members of an owner in memory after its save. The save does not read from the file
  /// whether a reference that the owner has saved before still exists.
  private func expectMemory(
    _ owner: Owner, _ removal: Removal, _ change: Change,
    at location: SourceLocation = #_sourceLocation
  ) {
    if removal == .object || change == .member {
      expectSecondAlone(owner, "memory", at: location)
    } else if change == .link {
      #expect(owner.pet == nil && owner.chip == nil, sourceLocation: location)
    }
  }

  private func expectRemovedInFile(
    _ magic: MagicData, at location: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(
      try await magic.object(of: Pet.self).map(\.name) == ["b"], sourceLocation: location)
    #expect(
      try await magic.object(of: Chip.self).map(\.name) == ["b"], sourceLocation: location)
    for owner in try await magic.object(of: Owner.self) {
      expectSecondAlone(owner, "file", at: location)
    }
    try scratch.expectWhole(sourceLocation: location)
  }

  @Test(arguments: Removal.allCases, Change.allCases)
  func referencesOfASavedOwnerAreSetToNil(_ removal: Removal, _ change: Change) async throws {
    guard removal.isPossible else { return }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (pets, chips) = (["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) })
    let owner = Owner(pets, chips)
    try await magic.update(owner)
    try await remove(pets[0], removal, from: magic)
    try await remove(chips[0], removal, from: magic)
    switch change {
    case .none: break
    case .member: (pets[0].name, chips[0].name) = ("changed", "changed")
    case .owner: owner.title = 1
    case .link: owner.hold(pets, chips)
    }
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
    expectMemory(owner, removal, change)
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
  }

  @Test(arguments: Removal.allCases, Change.allCases)
  func referencesOfAFetchedOwnerAreSetToNil(_ removal: Removal, _ change: Change) async throws {
    guard removal.isPossible else { return }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Owner(["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) }))
    let owner = try await magic.object(of: Owner.self)[0]
    let (pets, chips) = (owner.pets, owner.chips.sorted { $0.name < $1.name })
    try await remove(pets[0], removal, from: magic)
    try await remove(chips[0], removal, from: magic)
    switch change {
    case .none: break
    case .member: (pets[0].name, chips[0].name) = ("changed", "changed")
    case .owner: owner.title = 1
    case .link: owner.hold(pets, chips)
    }
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
    expectMemory(owner, removal, change)
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
  }

  @Test(arguments: Removal.allCases, [false, true])
  func referencesOfANewOwnerAreSetToNil(_ removal: Removal, _ changesMember: Bool) async throws {
    guard removal.isPossible else { return }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (pets, chips) = (["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) })
    try await magic.update(contentsOf: pets)
    try await magic.update(contentsOf: chips)
    try await remove(pets[0], removal, from: magic)
    try await remove(chips[0], removal, from: magic)
    if changesMember { (pets[0].name, chips[0].name) = ("changed", "changed") }
    let owner = Owner(pets, chips)
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
    expectSecondAlone(owner, "memory")
    try await magic.update(owner)
    try await expectRemovedInFile(magic)
  }

  @Test(arguments: Removal.allCases, [false, true])
  func aRequiredToOneWhoseRowWasDeletedIsMissing(_ removal: Removal, _ changesMember: Bool)
    async throws
  {
    guard removal.isPossible else { return }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let pets = ["a", "b"].map { Pet($0) }
    try await magic.update(contentsOf: pets)
    let (new, saved) = (Keeper(), Keeper())
    (new.pet, saved.pet) = (pets[0], pets[1])
    try await magic.update(saved)
    try await remove(pets[0], removal, from: magic)
    if changesMember { pets[0].name = "changed" }
    saved.pet = pets[0]
    for keeper in [new, saved] {
      let error = await #expect(throws: MagicError.self) { try await magic.update(keeper) }
      #expect(error?.code == .missingValue)
      #expect(error?.type == "Keeper")
      #expect(error?.property == "pet")
    }
    #expect(new.zIndex == nil)
    #expect(try await magic.object(of: Keeper.self).map(\.pet.name) == ["b"])
    #expect(try await magic.object(of: Pet.self).map(\.name) == ["b"])
    // With another member both can be saved.
    for keeper in [new, saved] { keeper.pet = pets[1] }
    try await magic.update(contentsOf: [new, saved])
    #expect(try await magic.object(of: Keeper.self).map(\.pet.name) == ["b", "b"])
  }

  @Test func anObjectThatIsSavedItselfIsANewRowThatOwnersReferTo() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (pets, chips) = (["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) })
    try await magic.update(Owner(pets, chips))
    let fetched = try await magic.object(of: Owner.self)[0]
    let owners = [fetched, Owner(fetched.pets, fetched.chips.sorted { $0.name < $1.name })]
    try await magic.update(contentsOf: owners)
    let (pet, chip) = (owners[1].pets[0], owners[1].chips.first { $0.name == "a" })
    let old = try #require(pet.zIndex)
    try await magic.remove(pet)
    try await magic.remove(try #require(chip))
    let new = try await magic.update(pet)
    try await magic.update(try #require(chip))
    #expect(new > old)
    for owner in owners {
      try await magic.update(owner)
      #expect(owner.pet?.zIndex == new)
    }
    for owner in try await magic.object(of: Owner.self) {
      #expect(owner.pet?.name == "a")
      #expect(owner.chip?.name == "a")
      #expect(owner.pets.map(\.name) == ["a", "b"])
      #expect(owner.chips.map(\.name).sorted() == ["a", "b"])
      #expect(owner.named.mapValues(\.name) == ["0": "a", "1": "b"])
      #expect(owner.chipped.mapValues(\.name) == [0: "a", 1: "b"])
    }
    #expect(try await magic.query(Pet.self).count() == 2)
    #expect(try await magic.query(Chip.self).count() == 2)
  }

  @Test(arguments: [false, true])
  func anOwnerAndARemovedMemberAreSavedTogether(_ memberFirst: Bool) async throws {
    struct Node: MagicObject {
      @OptionMagicValue var parent: Node?
      @MagicValue var children: [Node] = []
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (owner, member) = (Node(), Node())
    (owner.parent, owner.children) = (member, [member, member])
    try await magic.update(owner)
    try await magic.remove(member)
    try await magic.update(contentsOf: memberFirst ? [member, owner] : [owner, member])
    #expect(member.zIndex != nil)
    try await magic.update(owner)
    #expect(owner.children.count == 2)
    #expect(owner.parent?.zIndex == member.zIndex)
    let fetched = try await magic.object(of: Node.self)
    #expect(fetched.count == 2)
    #expect(fetched[0].parent?.zIndex == member.zIndex)
    #expect(fetched[0].children.map(\.zIndex) == [member.zIndex, member.zIndex])
    try await magic.remove(contentsOf: fetched)
  }

  /// Each object that `update` receives is saved on request, also if an object before it refers to it.
  @Test(arguments: Removal.allCases, [false, true])
  func aMemberThatIsAlsoAnArgumentIsSaved(_ removal: Removal, _ memberFirst: Bool)
    async throws
  {
    guard removal.isPossible else { return }
    struct Named: MagicObject {
      @PrimaryMagicValue var id: String
      @MagicValue var text: String = ""
      @OptionMagicValue var parent: Named?
      @MagicValue var children: [Named] = []
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (owner, member) = (Named(), Named())
    (owner.id, member.id) = ("owner", "member")
    (owner.parent, owner.children) = (member, [member])
    try await magic.update(owner)
    try await remove(member, removal, from: magic)
    member.text = "changed"
    try await magic.update(
      contentsOf: memberFirst ? [member, owner] : [owner, member], ifMissing: .insert)
    #expect(member.zIndex != nil)
    #expect(try await magic.object(of: Named.self, primary: "member").text == "changed")
    #expect(try await magic.object(of: Named.self, primary: "member").zIndex == member.zIndex)
    #expect(try await magic.query(Named.self).count() == 2)
    try await magic.update(owner)
    #expect(owner.parent?.zIndex == member.zIndex)
    let fetched = try await magic.object(of: Named.self, primary: "owner")
    #expect(fetched.parent?.zIndex == member.zIndex)
    #expect(fetched.children.map(\.zIndex) == [member.zIndex])
    try scratch.expectWhole()
  }

  @Test func aFetchedOwnerIsCopiedToAnotherDatabaseWithItsMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Owner(["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) }))
    let keeper = Keeper()
    keeper.pet = Pet("kept")
    try await magic.update(keeper)
    let other = try await MagicData.onTestedEngine(path: scratch.file("other.sqlite3"))
    for owner in try await magic.object(of: Owner.self) { try await other.update(owner) }
    for keeper in try await magic.object(of: Keeper.self) {
      try await other.update(keeper)
      #expect(keeper.pet.name == "kept")
    }
    let owner = try await other.object(of: Owner.self)[0]
    #expect(owner.pet?.name == "a")
    #expect(owner.chip?.name == "a")
    #expect(owner.pets.map(\.name) == ["a", "b"])
    #expect(owner.chips.map(\.name).sorted() == ["a", "b"])
    #expect(owner.named.mapValues(\.name) == ["0": "a", "1": "b"])
    #expect(owner.chipped.mapValues(\.name) == [0: "a", 1: "b"])
    #expect(try await other.object(of: Keeper.self).map(\.pet.name) == ["kept"])
  }

  /// A collection that no caller has read stays as it is in the file.
  @Test func aCollectionThatWasNotReadIsKept() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Owner(["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) }))
    let owner = try await magic.object(of: Owner.self)[0]
    try await magic.remove(try #require(owner.pet))
    try await magic.update(owner)
    #expect(owner.pets.map(\.name) == ["b"])
    #expect(owner.named.mapValues(\.name) == ["1": "b"])
    #expect(owner.chips.count == 2)
    try await magic.update(owner)
    #expect(try await magic.object(of: Owner.self)[0].pets.map(\.name) == ["b"])
    #expect(try await magic.object(of: Owner.self)[0].named.mapValues(\.name) == ["1": "b"])
  }

  @Test func eachOwnerOfARemovedMemberIsClearedByItsOwnSave() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let pets = ["a", "b"].map { Pet($0) }
    let owners = (0..<20).map { _ in Owner(pets, ["a", "b"].map { Chip($0) }) }
    try await magic.update(contentsOf: owners)
    try await magic.remove(pets[0])
    try await magic.update(contentsOf: owners)
    #expect(owners.allSatisfy { $0.pet == nil && $0.pets.count == 1 && $0.named.count == 1 })
    #expect(pets[0].zIndex == nil)
    #expect(try await magic.query(Pet.self).count() == 1)
  }

  @Test func aFailedSaveKeepsTheReferencesInMemory() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (pets, chips) = (["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) })
    let owner = Owner(pets, chips)
    try await magic.update(owner)
    try await magic.remove(pets[0])
    let unset = Owner(pets, chips)
    unset.named["unset"] = Pet()
    await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: [owner, unset])
    }
    #expect(owner.pet?.name == "a")
    #expect(owner.pets.map(\.name) == ["a", "b"])
    #expect(owner.named.count == 2)
    try await magic.update(owner)
    #expect(owner.pet == nil)
    #expect(owner.pets.map(\.name) == ["b"])
    #expect(pets[0].zIndex == nil)
  }

  @Test(.requires(.files)) func aRemovalByAnotherProcessDuringSavesLeavesNoBrokenReference()
    async throws
  {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let pets = (0..<200).map { Pet("\($0)") }
    try await magic.update(contentsOf: pets)
    let removing = Task {
      let other = try scratch.raw(timeout: 30)
      for pet in pets.reversed() where pet.name != "0" {
        try other.execute("DELETE FROM Pet WHERE name = '\(pet.name)'")
        await Task.yield()
      }
    }
    let owner = Owner()
    for round in 0..<100 {
      owner.pets = pets
      owner.pet = pets[199 - round]
      try await magic.update(owner)
    }
    try await removing.value
    owner.pet = pets[1]
    try await magic.update(owner)
    #expect(owner.pet == nil)
    #expect(try await magic.object(of: Owner.self)[0].pets.map(\.name) == ["0"])
    try scratch.expectWhole()
  }

  @Test func anUnsavedOrRemovedObjectCannotBeRemoved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let owner = Owner(["a", "b"].map { Pet($0) }, ["a", "b"].map { Chip($0) })
    for _ in 0..<2 {
      let error = await #expect(throws: MagicError.self) { try await magic.remove(owner) }
      #expect(error?.code == .notSaved)
      #expect(error?.type == "Owner")
      let member = await #expect(throws: MagicError.self) { try await magic.remove(owner.pets[0]) }
      #expect(member?.code == .notSaved)
      try await magic.update(owner)
      try await magic.remove(owner.pets[0])
      try await magic.remove(owner)
    }
  }

  @Test func aCascadedObjectIsANewRowWhenItIsSavedWithItsPrimary() async throws {
    struct Entry: MagicObject {
      @PrimaryMagicValue var id: String
      @MagicValue var text: String = ""
      @OptionMagicValue(.onDelete(.cascade)) var pet: Pet?
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let entry = Entry()
    (entry.id, entry.pet) = ("e", Pet("a"))
    try await magic.update(entry)
    try await magic.remove(try #require(entry.pet))
    #expect(try await magic.query(Entry.self).count() == 0)
    entry.text = "again"
    try await magic.update(entry, ifMissing: .insert)
    #expect(entry.pet == nil)
    #expect(try await magic.object(of: Entry.self).map(\.text) == ["again"])
    #expect(try await magic.query(Pet.self).count() == 0)
  }
}
