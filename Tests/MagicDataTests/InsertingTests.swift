import EngineConformance
import MagicData
import MagicTestSupport
import Testing

private struct Contact: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String = ""
  @OptionMagicValue(.unique) var email: String?
  @OptionMagicValue var company: Company?
  @MagicValue var notes: [Remark] = []

  init() {}
  init(_ name: String, email: String? = nil) { (self.name, self.email) = (name, email) }
}

private struct Company: MagicObject {
  @PrimaryMagicValue var name: String

  init() {}
  init(_ name: String) { self.name = name }
}

private struct Remark: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

/// A type without relationships, whose primary is assigned by the database.
private struct Reading: MagicObject {
  static var indexes: [MagicIndex<Reading>] { [MagicIndex(\.$sensor, \.$time, isUnique: true)] }

  @PrimaryMagicValue var id: Int
  @MagicValue var sensor: String
  @MagicValue var time: Int
  @MagicValue var value: Double = 0
  @OptionMagicValue var comment: String?

  init() {}
  init(_ sensor: String, _ time: Int, _ value: Double) {
    (self.sensor, self.time, self.value) = (sensor, time, value)
  }
}

private struct Post: MagicObject {
  static var indexes: [MagicIndex<Post>] { [MagicIndex(\.$feed, \.$number, isUnique: true)] }

  @OptionMagicValue var feed: Company?
  @MagicValue var number: Int
  @MagicValue var text: String

  init() {}
  init(_ feed: Company?, _ number: Int, _ text: String) {
    (self.feed, self.number, self.text) = (feed, number, text)
  }
}

/// A type that refers to itself.
private struct Friend: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.unique) var email: String
  @MagicValue var name: String = ""
  @OptionMagicValue var best: Friend?
  @MagicValue var others: [Friend] = []

  init() {}
  init(_ id: String, _ email: String) { (self.id, self.email) = (id, email) }
}

private struct Seat: MagicObject {
  @PrimaryMagicValue(.rowID) var number: Int
  @MagicValue var guest: String = ""

  init() {}
  init(_ number: Int, _ guest: String) { (self.number, self.guest) = (number, guest) }
}

/// Inserts of new objects alone, and saves that find a row by unique properties.
@Suite(.everyEngine) struct InsertingTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func expectNotUnique(_ body: () async throws -> Void) async {
    let error = await #expect(throws: MagicError.self) { try await body() }
    #expect(error?.code == .notUnique)
  }

  // MARK: insert

  @Test func anObjectWhosePrimaryIsStoredIsNotInserted() async throws {
    let magic = try await open()
    let acme = Company("Acme")
    try await magic.insert(acme)
    await expectNotUnique { try await magic.insert(Company("Acme")) }
    await expectNotUnique { try await magic.insert(contentsOf: [Company("B"), Company("Acme")]) }
    await expectNotUnique { try await magic.insert(contentsOf: [Company("C"), Company("C")]) }
    #expect(try await magic.object(of: Company.self).map(\.name) == ["Acme"])
  }

  @Test func theErrorNamesThePrimaryAndTheObjectStaysUnsaved() async throws {
    let magic = try await open()
    try await magic.insert(Seat(3, "a"))
    let other = Seat(3, "b")
    let error = await #expect(throws: MagicError.self) { try await magic.insert(other) }
    #expect(error?.type == "Seat" && error?.property == "number")
    #expect(other.zIndex == nil)
    other.number = 4
    #expect(try await magic.insert(other).rawValue == 4)
    #expect(try await magic.object(of: Seat.self).map(\.guest) == ["a", "b"])
  }

  @Test func aSavedObjectIsNotInserted() async throws {
    let magic = try await open()
    let contact = Contact("Ada")
    let reading = Reading("s", 1, 2)
    try await magic.insert(contact)
    try await magic.insert(reading)
    reading.value = 3
    await expectNotUnique { try await magic.insert(contact) }
    await expectNotUnique { try await magic.insert(reading) }
    let fetched = try await magic.object(of: Contact.self)[0]
    await expectNotUnique { try await magic.insert(fetched) }
    #expect(try await magic.object(of: Reading.self).map(\.value) == [2])
    try await magic.remove(contact)
    try await magic.insert(contact)
    #expect(try await magic.object(of: Contact.self).map(\.name) == ["Ada"])
  }

  @Test func theObjectsOfAnInsertedObjectAreInsertedOrUpdated() async throws {
    let magic = try await open()
    try await magic.insert(Company("Acme"))
    let ada = Contact("Ada")
    (ada.company, ada.notes) = (Company("Acme"), [Remark("a"), Remark("b")])
    try await magic.insert(ada)
    #expect(try await magic.object(of: Company.self).count == 1)
    let twin = Contact("Twin")
    twin.id = ada.id
    twin.notes = [Remark("c")]
    await expectNotUnique { try await magic.insert(twin) }
    #expect(try await magic.object(of: Remark.self).map(\.text) == ["a", "b"])
    #expect(twin.zIndex == nil && twin.notes[0].zIndex == nil)
  }

  @Test func objectsThatExistAreLeftOut() async throws {
    let magic = try await open()
    try await magic.insert(contentsOf: [Contact("Ada", email: "a"), Contact("Bea", email: "b")])
    let (twin, new) = (Contact("Twin", email: "a"), Contact("Cleo", email: "c"))
    twin.notes = [Remark("x")]
    let rows = try await magic.insert(contentsOf: [twin, new, new], orIgnore: true)
    #expect(rows[0] == nil && rows[1] != nil && rows[1] == new.zIndex && rows[2] == nil)
    #expect(twin.zIndex == nil && twin.notes[0].zIndex == nil)
    #expect(try await magic.object(of: Contact.self).map(\.name) == ["Ada", "Bea", "Cleo"])
    #expect(try await magic.object(of: Remark.self).isEmpty)
    // The values are still marked as changed.
    twin.email = "t"
    #expect(try await magic.insert(twin, orIgnore: true) != nil)
    #expect(try await magic.object(of: Remark.self).map(\.text) == ["x"])
    await expectNotUnique { try await magic.insert(Contact("Z", email: "t"), orIgnore: false) }
  }

  @Test func anErrorOfAnotherObjectOfTheTypeIsNotIgnored() async throws {
    let magic = try await open()
    try await magic.insert(Friend("s", "x"))
    let new = Friend("a", "new")
    new.best = Friend("dup", "x")
    await expectNotUnique { try await magic.insert(new, orIgnore: true) }
    new.best = nil
    new.others = [Friend("dup", "x")]
    await expectNotUnique { try await magic.insert(new, orIgnore: true) }
    new.others = []
    #expect(try await magic.insert(new, orIgnore: true) != nil)
    #expect(try await magic.object(of: Friend.self).map(\.id) == ["s", "a"])
    // A saved object is left out too.
    #expect(try await magic.insert(new, orIgnore: true) == nil)
    let posts = [Post(nil, 1, "a"), Post(Company("c"), 1, "b")]
    try await magic.insert(contentsOf: posts)
    let same = Post(posts[1].feed, 1, "c")
    #expect(try await magic.insert(contentsOf: [same, posts[0]], orIgnore: true) == [nil, nil])
    #expect(try await magic.object(of: Post.self).map(\.text) == ["a", "b"])
  }

  @Test func insertsInATransactionAreRolledBackWithIt() async throws {
    let magic = try await open()
    let seats = [Seat(1, "a"), Seat(2, "b")]
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.insert(contentsOf: seats)
        #expect(try transaction.insert(Seat(1, "c"), orIgnore: true) == nil)
        #expect(throws: MagicError.self) { try transaction.insert(Seat(2, "d")) }
        #expect(try transaction.object(of: Seat.self).map(\.guest) == ["a", "b"])
        throw Failure()
      }
    }
    #expect(seats.allSatisfy { $0.zIndex == nil })
    try await magic.insert(contentsOf: seats)
    #expect(try await magic.object(of: Seat.self).map(\.guest) == ["a", "b"])
  }

  // MARK: matching

  @Test func aNewObjectUpdatesTheRowWithItsUniqueValue() async throws {
    let magic = try await open()
    let ada = Contact("Ada", email: "ada@x")
    (ada.notes, ada.company) = ([Remark("old")], Company("Acme"))
    let row = try await magic.update(ada, matching: \.$email)
    let new = Contact("Ada King", email: "ada@x")
    new.notes = [Remark("new")]
    #expect(try await magic.update(new, matching: \.$email) == row)
    let stored = try await magic.object(of: Contact.self)
    #expect(stored.map(\.name) == ["Ada King"])
    #expect(stored[0].notes.map(\.text) == ["new"] && stored[0].company == nil)
    // The object has the stored primary.
    #expect(new.id == ada.id && stored[0].id == ada.id && new.zIndex == row)
    new.name = "Countess"
    try await magic.update(new)
    #expect(try await magic.object(of: Contact.self).map(\.name) == ["Countess"])
  }

  @Test func aSetPrimaryIsReplacedByTheStoredOne() async throws {
    let magic = try await open()
    let reading = Reading("s", 1, 2)
    try await magic.update(reading)
    let other = Reading("s", 1, 3)
    other.id = 77
    try await magic.update(other, matching: \.$time, \.$sensor)
    #expect(other.id == reading.id)
    let stored = try await magic.object(of: Reading.self)
    #expect(stored.map(\.id) == [reading.id] && stored.map(\.value) == [3])
  }

  @Test func manyObjectsAreMatchedInOneTransaction() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: (0..<50).map { Reading("s", $0, 0) })
    let imported = (25..<100).map { Reading("s", $0, 1) } + [Reading("s", 99, 2)]
    let rows = try await magic.update(contentsOf: imported, matching: \.$sensor, \.$time)
    #expect(Set(rows).count == 75 && rows[74] == rows[75])
    let stored = try await magic.object(of: Reading.self).sorted { $0.time < $1.time }
    #expect(stored.map(\.time) == Array(0..<100))
    #expect(stored.map(\.value) == (0..<100).map { $0 < 25 ? 0 : $0 < 99 ? 1 : 2 })
    #expect(Set(stored.map(\.id)).count == 100)
  }

  @Test func aToOneIsMatchedByTheRowOfItsObject() async throws {
    let magic = try await open()
    let (news, blog) = (Company("news"), Company("blog"))
    try await magic.update(contentsOf: [Post(news, 1, "a"), Post(blog, 1, "b")])
    // The feed is a new object with the primary of a stored one.
    let same = Post(Company("news"), 1, "c")
    try await magic.update(same, matching: \.$feed, \.$number)
    try await magic.update(Post(news, 2, "d"), matching: \.$number, \.$feed)
    try await magic.update(Post(nil, 1, "e"), matching: \.$feed, \.$number)
    try await magic.update(Post(nil, 1, "f"), matching: \.$feed, \.$number)
    let texts = try await magic.object(of: Post.self).map { "\($0.feed?.name ?? "-")\($0.text)" }
    #expect(texts == ["newsc", "blogb", "newsd", "-e", "-f"])
    #expect(try await magic.object(of: Company.self).count == 2)
  }

  @Test(arguments: ["new", "other"])
  func referencesToAMatchedObjectReferToItsRow(_ id: String) async throws {
    let magic = try await open()
    let (stored, other) = (Friend("stored", "x"), Friend("other", "y"))
    try await magic.update(contentsOf: [stored, other])
    // Its primary is new, or that of another row.
    let new = Friend(id, "x")
    let between = Friend("between", "z")
    (new.best, new.others) = (new, [new, between])
    (between.best, between.others) = (new, [between])
    try await magic.update(new, matching: \.$email)
    #expect(new.zIndex == stored.zIndex && new.id == "stored")
    let fetched = try await magic.object(of: Friend.self)
    #expect(fetched.map(\.id) == ["stored", "other", "between"])
    #expect(fetched[0].best?.id == "stored")
    #expect(fetched[0].others.map(\.id) == ["stored", "between"])
    #expect(fetched[2].best?.id == "stored" && fetched[2].others.map(\.id) == ["between"])
    // All references of a later save too.
    new.name = "again"
    try await magic.update(new)
    #expect(try await magic.object(of: Friend.self)[0].best?.name == "again")
    try scratch.expectWhole()
  }

  @Test func anObjectWithoutTheValueIsInserted() async throws {
    let magic = try await open()
    try await magic.update(Contact("Ada"))
    try await magic.update(contentsOf: [Contact("Bea"), Contact("Cleo")], matching: \.$email)
    #expect(try await magic.object(of: Contact.self).map(\.name) == ["Ada", "Bea", "Cleo"])
  }

  @Test func aSavedObjectUpdatesItsOwnRow() async throws {
    let magic = try await open()
    let (ada, bea) = (Contact("Ada", email: "a"), Contact("Bea", email: "b"))
    try await magic.update(contentsOf: [ada, bea])
    bea.email = "a"
    await expectNotUnique { try await magic.update(bea, matching: \.$email) }
    bea.email = "c"
    try await magic.update(bea, matching: \.$email)
    #expect(try await magic.object(of: Contact.self).map(\.email) == ["a", "c"])
  }

  @Test func propertiesThatAreNotUniqueAreRefused() async throws {
    let magic = try await open()
    for error in [
      await #expect(throws: MagicError.self) {
        try await magic.update(Contact("Ada"), matching: \.$name)
      },
      await #expect(throws: MagicError.self) {
        try await magic.update(Reading("s", 1, 1), matching: \.$sensor)
      },
      await #expect(throws: MagicError.self) {
        try await magic.update(Contact("Ada"), matching: \.$notes)
      },
    ] {
      #expect(error?.code == .invalidQuery)
    }
    #expect(try await magic.object(of: Contact.self).isEmpty)
    // A primary is unique.
    try await magic.update(Company("Acme"), matching: \.$name)
  }

  @Test func aRolledBackMatchRestoresThePrimary() async throws {
    let magic = try await open()
    let first = Reading("s", 1, 2)
    try await magic.update(first)
    let other = Reading("s", 1, 3)
    other.id = 77
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.update(other, matching: \.$sensor, \.$time)
        #expect(other.id == first.id)
        throw Failure()
      }
    }
    #expect(other.id == 77 && other.zIndex == nil)
    other.time = 2
    try await magic.update(other)
    #expect(try await magic.object(of: Reading.self).map(\.id).sorted() == [first.id, 77].sorted())
  }
}
