import EngineConformance
import MagicData
import MagicTestSupport
import Testing

private struct MergedProfile: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var visits: Int = 1
  @MagicValue var tags: [String] = ["new"]
  @OptionMagicValue(.unique) var email: String?
  @OptionMagicValue var city: String?

  init() {}
  init(_ id: String) { self.id = id }
}

/// A type with relationships of all kinds.
private final class MergedAccount: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var id: Int
  @MagicValue(.unique) var login: String
  @MagicValue var owner: MergedHolder
  @MagicValue var plan = MergedPlan("basic")
  @OptionMagicValue var parent: MergedAccount?
  @MagicValue var members: [MergedHolder]
  @OptionMagicValue var lazyOwner: AsyncMagical<MergedHolder>?
  @MagicVersion var version: Int

  init() {}
}

private struct MergedHolder: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 0

  init() {}
  init(_ name: String, _ age: Int = 0) { (self.name, self.age) = (name, age) }
}

private struct MergedPlan: MagicObject {
  @MagicValue var name: String

  init() {}
  init(_ name: String) { self.name = name }
}

private struct MergedSlot: MagicObject {
  static var key: MagicKey<MergedSlot> { MagicKey(\.$room, \.$hour) }

  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue var room: MergedHolder
  @MagicValue var hour: Int
  @MagicValue var title: String
  @OptionMagicValue var guest: MergedHolder?
  @MagicValue var host: AsyncMagical<MergedHolder>

  init() {}
  init(_ room: MergedHolder, _ hour: Int) { (self.room, self.hour) = (room, hour) }
}

private struct MergedPicture: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var title: String
  @MagicValue var image: MagicAsset<String>
  @OptionMagicValue var caption: MagicAsset<String>?

  init() { image = .init() }

  init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// A type whose objects are created by the memberwise initializer.
private struct MergedLeaflet: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var title: String
  @MagicValue var pages: Int = 7
}

/// Saves of new objects that write only the properties that were assigned.
@Suite(.everyEngine) struct MergingTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func stored(_ magic: MagicData) async throws -> MergedProfile {
    let profile = MergedProfile("a")
    (profile.name, profile.visits, profile.tags) = ("Ada", 5, ["x"])
    (profile.email, profile.city) = ("a@x", "Rome")
    try await magic.update(profile)
    return profile
  }

  private func account(_ magic: MagicData) async throws -> MergedAccount {
    let account = MergedAccount()
    (account.id, account.login, account.owner) = (1, "ada", MergedHolder("Ada", 36))
    (account.plan, account.members) = (
      MergedPlan("pro"), [MergedHolder("Bea"), MergedHolder("Cleo")]
    )
    account.lazyOwner = AsyncMagical(value: MergedHolder("Lea"))
    account.parent = account
    try await magic.update(account)
    return account
  }

  @Test func onlyAssignedPropertiesAreWritten() async throws {
    let magic = try await open()
    let first = try await stored(magic)
    let new = MergedProfile("a")
    new.city = nil
    #expect(try await magic.merge(new) == first.zIndex)
    #expect(new.isSaved && !new.hasChanges && new.zIndex == first.zIndex)
    // The object has the stored values of the others.
    #expect(new.name == "Ada" && new.visits == 5 && new.tags == ["x"])
    #expect(new.email == "a@x" && new.city == nil)
    let row = try await magic.object(of: MergedProfile.self, primary: "a")
    #expect(row.name == "Ada" && row.visits == 5 && row.tags == ["x"])
    #expect(row.email == "a@x" && row.city == nil)
    // Later saves write its changes.
    new.visits = 6
    try await magic.update(new)
    #expect(try await magic.object(of: MergedProfile.self, primary: "a").visits == 6)
  }

  @Test func anAssignedDefaultIsWritten() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let new = MergedProfile("a")
    new.visits = 1
    new.tags.append("more")
    try await magic.merge(new)
    let row = try await magic.object(of: MergedProfile.self, primary: "a")
    #expect(row.visits == 1 && row.tags == ["new", "more"] && row.name == "Ada")
  }

  @Test func anObjectWithoutARowIsInserted() async throws {
    let magic = try await open()
    let error = await #expect(throws: MagicError.self) { try await magic.merge(MergedProfile("b")) }
    #expect(error?.code == .missingValue && error?.property == "name")
    let new = MergedProfile("b")
    new.name = "Bea"
    try await magic.merge(new)
    let row = try await magic.object(of: MergedProfile.self, primary: "b")
    #expect(row.name == "Bea" && row.visits == 1 && row.tags == ["new"] && row.city == nil)
    // A new object without a primary value is inserted too.
    let third = MergedAccount()
    (third.login, third.owner, third.members) = ("c", MergedHolder("C"), [])
    try await magic.merge(third)
    #expect(third.id == 1 && third.plan.name == "basic" && third.version == 1)
  }

  @Test func nothingIsWrittenIfOnlyThePrimaryIsAssigned() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let account = try await account(magic)
    let new = MergedAccount()
    new.id = 1
    try await magic.merge(new)
    #expect(new.version == account.version && new.login == "ada")
    let profile = MergedProfile("a")
    try await magic.merge(profile)
    #expect(profile.visits == 5)
  }

  @Test func aSavedObjectIsSavedAsByUpdate() async throws {
    let magic = try await open()
    let first = try await stored(magic)
    let fetched = try await magic.object(of: MergedProfile.self, primary: "a")
    first.city = "Oslo"
    try await magic.merge(first)
    fetched.visits = 9
    try await magic.merge(fetched)
    #expect(fetched.city == "Rome")
    let row = try await magic.object(of: MergedProfile.self, primary: "a")
    #expect(row.city == "Oslo" && row.visits == 9)
    try await magic.remove(row)
    fetched.visits = 10
    let error = await #expect(throws: MagicError.self) { try await magic.merge(fetched) }
    #expect(error?.code == .notFound)
  }

  @Test func severalObjectsAreMergedInOneTransaction() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let (one, two, three) = (MergedProfile("a"), MergedProfile("b"), MergedProfile("b"))
    (one.city, two.name, three.visits) = ("Bern", "Bea", 4)
    let rows = try await magic.merge(contentsOf: [one, two, three, one])
    #expect(rows[0] == rows[3] && rows[1] == rows[2] && rows[0] != rows[1])
    #expect(one.visits == 5 && three.name == "Bea" && three.visits == 4)
    let stored = try await magic.object(of: MergedProfile.self)
    #expect(stored.map(\.city) == ["Bern", nil] && stored.map(\.visits) == [5, 4])
    #expect(try await magic.merge(contentsOf: [MergedProfile]()).isEmpty)
  }

  @Test func aRowIsFoundByUniqueProperties() async throws {
    let magic = try await open()
    let first = try await stored(magic)
    let new = MergedProfile()
    (new.email, new.visits) = ("a@x", 8)
    #expect(try await magic.merge(new, matching: \.$email) == first.zIndex)
    #expect(new.id == "a" && new.name == "Ada" && new.visits == 8)
    let rows = try await magic.merge(contentsOf: [new], matching: \.$email)
    #expect(rows == [first.zIndex])
    let error = await #expect(throws: MagicError.self) {
      try await magic.merge(MergedProfile("a"), matching: \.$name)
    }
    #expect(error?.code == .invalidQuery)
  }

  @Test func aRowIsFoundByItsKey() async throws {
    let magic = try await open()
    let room = MergedHolder("A1")
    let first = MergedSlot(room, 9)
    (first.title, first.guest) = ("Talk", MergedHolder("Ada"))
    first.host = AsyncMagical(value: MergedHolder("Hal"))
    try await magic.update(first)
    let new = MergedSlot(MergedHolder("A1"), 9)
    try await magic.merge(new)
    #expect(new.id == first.id && new.title == "Talk" && new.guest?.name == "Ada")
    #expect(try await new.host.get().name == "Hal")
    let later = MergedSlot(room, 10)
    later.title = "Panel"
    let error = await #expect(throws: MagicError.self) { try await magic.merge(later) }
    #expect(error?.code == .missingValue && error?.property == "host" && later.zIndex == nil)
    let other = MergedSlot(room, 9)
    other.guest = nil
    try await magic.merge(other)
    let stored = try await magic.object(of: MergedSlot.self)
    #expect(stored.map(\.title) == ["Talk"] && stored[0].guest == nil)
    #expect(stored[0].room.name == "A1")
  }

  @Test func unassignedRelationshipsAreKept() async throws {
    let magic = try await open()
    let first = try await account(magic)
    let new = MergedAccount()
    (new.id, new.login) = (1, "ada2")
    try await magic.merge(new)
    #expect(new.owner.name == "Ada" && new.plan.name == "pro" && new.parent?.id == 1)
    #expect(new.members.map(\.name) == ["Bea", "Cleo"] && new.version == 2)
    #expect(try await new.lazyOwner?.get().name == "Lea")
    let row = try await magic.object(of: MergedAccount.self)[0]
    #expect(row.login == "ada2" && row.owner.name == "Ada" && row.plan.name == "pro")
    #expect(row.members.map(\.name) == ["Bea", "Cleo"] && row.parent?.id == 1)
    #expect(try await row.lazyOwner?.get().name == "Lea")
    // The default plan was not saved.
    #expect(try await magic.object(of: MergedPlan.self).map(\.name) == ["pro"])
    // The merge was a new version.
    first.login = "late"
    let error = await #expect(throws: MagicError.self) { try await magic.update(first) }
    #expect(error?.code == .conflict)
    new.members.append(MergedHolder("Dora"))
    try await magic.update(new)
    #expect(try await magic.object(of: MergedAccount.self)[0].members.count == 3)
  }

  @Test func assignedRelationshipsAreWritten() async throws {
    let magic = try await open()
    _ = try await account(magic)
    let new = MergedAccount()
    (new.id, new.owner, new.parent) = (1, MergedHolder("Bob", 5), nil)
    new.lazyOwner = nil
    try await magic.merge(new)
    let members = MergedAccount()
    (members.id, members.members) = (1, [MergedHolder("Cleo", 3)])
    try await magic.merge(members)
    #expect(members.version == 3 && members.owner.name == "Bob")
    let row = try await magic.object(of: MergedAccount.self)[0]
    #expect(row.owner.name == "Bob" && row.owner.age == 5 && row.parent == nil)
    #expect(row.members.map(\.name) == ["Cleo"] && row.members[0].age == 3)
    #expect(row.lazyOwner == nil && row.plan.name == "pro")
    try scratch.expectWhole()
  }

  @Test func anObjectThatRefersToItselfIsMergedIntoItsRow() async throws {
    let magic = try await open()
    _ = try await account(magic)
    let new = MergedAccount()
    (new.id, new.parent) = (1, new)
    try await magic.merge(new)
    let rows = try await magic.object(of: MergedAccount.self)
    #expect(rows.count == 1 && rows[0].parent?.id == 1 && rows[0].login == "ada")
  }

  @Test func aRollbackRestoresTheObjects() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let new = MergedProfile("a")
    new.city = "Lima"
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.merge(new)
        #expect(new.name == "Ada" && new.visits == 5)
        #expect(try transaction.object(of: MergedProfile.self)[0].city == "Lima")
        throw Failure()
      }
    }
    #expect(new.zIndex == nil && new.visits == 1 && new.city == "Lima" && !new.$name.isSet)
    #expect(new.tags == ["new"])
    #expect(try await magic.object(of: MergedProfile.self)[0].city == "Rome")
    // The same properties are assigned.
    try await magic.merge(new)
    let row = try await magic.object(of: MergedProfile.self)[0]
    #expect(row.city == "Lima" && row.visits == 5 && new.visits == 5)
  }

  @Test func aNestedTransactionRestoresTheObjects() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let new = MergedProfile("a")
    new.city = "Lima"
    try await magic.transaction { transaction in
      struct Failure: Error {}
      #expect(throws: Failure.self) {
        try transaction.transaction {
          try $0.merge(new)
          throw Failure()
        }
      }
      #expect(new.zIndex == nil && new.visits == 1)
      try transaction.merge(new)
    }
    #expect(new.visits == 5 && new.name == "Ada")
    #expect(try await magic.object(of: MergedProfile.self)[0].city == "Lima")
  }

  @Test func aCancelledMergeWritesNothing() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let new = MergedProfile("a")
    new.city = "Lima"
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await magic.merge(new)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(new.zIndex == nil && new.visits == 1)
    #expect(try await magic.object(of: MergedProfile.self)[0].city == "Rome")
  }

  @Test func anotherInstanceKeepsItsValues() async throws {
    let magic = try await open()
    let first = try await stored(magic)
    let new = MergedProfile("a")
    new.visits += 1
    try await magic.merge(new)
    #expect(first.visits == 5 && new.visits == 2)
    // The other instance writes only its own changes.
    first.city = "Oslo"
    try await magic.update(first)
    let row = try await magic.object(of: MergedProfile.self)[0]
    #expect(row.visits == 2 && row.city == "Oslo")
    try await magic.refresh(first)
    #expect(first.visits == 2)
  }

  @Test func anErrorOfOneObjectUndoesAll() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let (one, two) = (MergedProfile("a"), MergedProfile("b"))
    one.city = "Bern"
    let error = await #expect(throws: MagicError.self) {
      try await magic.merge(contentsOf: [one, two])
    }
    #expect(error?.code == .missingValue)
    #expect(one.zIndex == nil && one.visits == 1)
    #expect(try await magic.object(of: MergedProfile.self).map(\.city) == ["Rome"])
  }

  @Test func theBlockingCallsMergeToo() throws {
    let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
    let first = MergedProfile("a")
    (first.name, first.email) = ("Ada", "a@x")
    try store.update(first)
    let new = MergedProfile("a")
    new.visits = 3
    #expect(try store.merge(new) == first.zIndex && new.name == "Ada")
    let other = MergedProfile()
    (other.email, other.visits) = ("a@x", 4)
    #expect(try store.merge(other, matching: \.$email) == first.zIndex && other.id == "a")
    #expect(try store.merge(contentsOf: [other], matching: \.$email) == [first.zIndex])
    #expect(try store.merge(contentsOf: [new]) == [first.zIndex])
    #expect(try store.object(of: MergedProfile.self).map(\.visits) == [4])
  }

  @Test(.requires(.files)) func anAssetWithoutContentIsNotAssigned() async throws {
    let magic = try await open()
    let first = MergedPicture(1)
    (first.title, first.image) = ("one", MagicAsset(value: "image"))
    first.caption = MagicAsset(value: "caption")
    try await magic.update(first)
    let new = MergedPicture(1)
    new.title = "two"
    try await magic.merge(new)
    #expect(try new.image.load() == "image" && new.caption?.load() == "caption")
    let other = MergedPicture(1)
    (other.image, other.caption) = (MagicAsset(value: "other"), nil)
    try await magic.merge(other)
    let row = try await magic.object(of: MergedPicture.self)[0]
    #expect(try row.title == "two" && row.image.load() == "other" && row.caption == nil)
    try scratch.expectWhole()
  }

  @Test func valuesOfTheMemberwiseInitializerAreAssignedWithoutADefault() async throws {
    let magic = try await open()
    func one() -> PrimaryMagicValue<Int> { PrimaryMagicValue(wrappedValue: 1) }
    try await magic.update(MergedLeaflet(id: one(), title: .init(wrappedValue: "one"), pages: 9))
    let new = MergedLeaflet(id: one(), title: .init(wrappedValue: "two"))
    try await magic.merge(new)
    #expect(new.pages == 9)
    #expect(try await magic.object(of: MergedLeaflet.self).map(\.title) == ["two"])
  }

  @Test func observersSeeOnlyTheWrittenProperties() async throws {
    let magic = try await open()
    _ = try await stored(magic)
    let stream = magic.changes(of: MergedProfile.self)
    let new = MergedProfile("a")
    new.city = "Bern"
    let row = try await magic.merge(new)
    for await changes in stream {
      #expect(changes.updated[row]?.names == ["city"])
      break
    }
  }
}
