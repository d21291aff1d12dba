import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The delete rule cascade.
@Suite(.everyEngine) struct CascadeTests {
  let scratch = Scratch()

  private typealias Author = Rules.Author

  @Test func ownersOfAToOneAreRemovedWithTheirTarget() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b"].map { Author($0) }
    try await magic.update(contentsOf: (0..<10).map { Rules.Blog(by: authors[$0 % 2]) })
    try await magic.update(contentsOf: (0..<10).map { Rules.Diary(by: authors[$0 % 2]) })
    try await magic.update(Rules.Blog(by: nil))
    try await magic.remove(authors[0])
    #expect(try await magic.query(Author.self).count() == 1)
    #expect(try await magic.query(Rules.Diary.self).count() == 5)
    #expect(try await magic.query(Rules.Blog.self).count() == 6)
    #expect(try await magic.object(of: Rules.Diary.self).allSatisfy { $0.author.name == "b" })
    try await magic.removeAll(of: Author.self)
    #expect(try await magic.query(Rules.Diary.self).count() == 0)
    #expect(try await magic.object(of: Rules.Blog.self).map { $0.author == nil } == [true])
    try scratch.expectWhole()
  }

  @Test func removingAnOwnerKeepsItsTarget() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let diary = Rules.Diary(by: Author("a"))
    try await magic.update(diary)
    try await magic.remove(diary)
    #expect(try await magic.query(Author.self).count() == 1)
    #expect(diary.author.zIndex != nil)
  }

  @Test(arguments: ["list", "set", "roles"]) func membersAreRemovedWithTheirOwner(
    _ property: String
  )
    async throws
  {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b", "c"].map { Author($0) }
    let band = Rules.Band()
    switch property {
    case "list": band.list = authors + authors
    case "set": band.set = MagicalSet(authors)
    default: band.roles = ["x": authors[0], "y": authors[1], "z": authors[2]]
    }
    try await magic.update(band)
    try await magic.update(Author("apart"))
    // A member that is removed itself leaves the collection.
    try await magic.remove(authors[1])
    #expect(try await magic.query(Rules.Band.self).count() == 1)
    let fetched = try await magic.object(of: Rules.Band.self)[0]
    let names =
      fetched.list.map(\.name) + fetched.set.map(\.name) + fetched.roles.values.map(\.name)
    #expect(Set(names) == ["a", "c"])
    try await magic.remove(fetched)
    #expect(try await magic.object(of: Author.self).map(\.name) == ["apart"])
    try scratch.expectRows(0, in: "magic_Band.\(property)")
    try scratch.expectWhole()
  }

  @Test func aMemberOfTwoOwnersIsRemovedWithTheFirst() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    let bands = (0..<2).map { _ in Rules.Band() }
    for band in bands { (band.list, band.set) = ([author, author], [author]) }
    try await magic.update(contentsOf: bands)
    try await magic.remove(bands[0])
    #expect(try await magic.query(Author.self).count() == 0)
    let left = try await magic.object(of: Rules.Band.self)
    #expect(left.count == 1)
    #expect(left[0].list.isEmpty && left[0].set.isEmpty)
    #expect(try await magic.removeAll(of: Rules.Band.self) == 1)
  }

  @Test func removeAllOfOwnersRemovesAllMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let bands = (0..<100).map { index in
      let band = Rules.Band()
      band.list = (0..<10).map { Author("\(index) \($0)") }
      return band
    }
    try await magic.update(contentsOf: bands)
    #expect(try await magic.removeAll(of: Rules.Band.self) == 100)
    #expect(try await magic.query(Author.self).count() == 0)
    #expect(try await magic.removeAll(of: Rules.Band.self) == 0)
  }

  @Test func anObjectMayBeRemovedByTheCascadeOfAnEarlierObjectOfTheCall() async throws {
    struct Page: MagicObject { @OptionMagicValue(.onDelete(.cascade)) var parent: Page? }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (parent, child) = (Page(), Page())
    child.parent = parent
    for order in [[parent, child], [child, parent]] {
      try await magic.update(contentsOf: order)
      try await magic.remove(contentsOf: order)
      #expect(try await magic.query(Page.self).count() == 0)
      #expect(parent.zIndex == nil && child.zIndex == nil)
    }
  }

  @Test(.requires(.reopening)) func cascadesApplyToOwnersOfATypeThatThisProcessHasNotUsed()
    async throws
  {
    enum Other {
      struct Author: MagicObject { @MagicValue var name: String }
      struct Band: MagicObject {
        static var tableName: String { "Band" }
        @MagicValue(.onDelete(.cascade)) var list: [Author] = []
      }
    }
    let writer = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    try await writer.update(contentsOf: [Rules.Diary(by: author), Rules.Diary(by: author)])
    try await writer.update(Rules.Blog(by: author))
    try await writer.update(Rules.Club([author]))
    await writer.close()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let other = try await magic.object(of: Other.Author.self)[0]
    try await magic.remove(other)
    for table in [
      "Author", "Diary", "Blog", "magic_Club.list", "magic_Club.set", "magic_Club.roles",
    ] {
      try scratch.expectRows(0, in: table)
    }
    #expect(try await magic.query(Rules.Club.self).count() == 1)
    try scratch.expectWhole()
  }

  @Test func aUniqueToOneOfManyPairsIsRemoved() async throws {
    struct Spouse: MagicObject {
      @OptionMagicValue(.unique, .onDelete(.cascade)) var partner: Spouse?
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let spouses = (0..<10).map { _ in Spouse() }
    for index in spouses.indices { spouses[index].partner = spouses[index ^ 1] }
    try await magic.update(contentsOf: spouses)
    for spouse in spouses { spouse.partner = nil }
    #expect(try await magic.removeAll(of: Spouse.self) == 10)
    #expect(try await magic.query(Spouse.self).count() == 0)
  }

  @Test func aRequiredUniqueToOneOfManyPairsIsSaved() async throws {
    struct Shoe: MagicObject { @MagicValue(.unique, .onDelete(.cascade)) var other: Shoe }
    struct Rack: MagicObject { @MagicValue var shoes: [Shoe] = [] }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let rack = Rack()
    let shoes = (0..<10).map { _ in Shoe() }
    for index in shoes.indices { shoes[index].other = shoes[index ^ 1] }
    defer { for shoe in shoes { shoe.other = shoe } }
    rack.shoes = shoes
    try await magic.update(rack)
    #expect(try await magic.object(of: Rack.self)[0].shoes.count == 10)
    #expect(try await magic.removeAll(of: Shoe.self) == 10)
    try scratch.expectWhole()
  }

  @Test func rowsThatRequireEachOtherAreRemovedTogether() async throws {
    struct Room: MagicObject { @OptionMagicValue(.onDelete(.cascade)) var house: House? }
    struct Door: MagicObject {
      @MagicValue var room: Room
      @MagicValue(.onDelete(.deny)) var others: [Room] = []
    }
    struct House: MagicObject {
      @MagicValue(.onDelete(.cascade)) var doors: MagicalSet<Door> = []
      @MagicValue(.onDelete(.deny)) var locked: [Door] = []
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let house = House()
    let rooms = (0..<3).map { _ in Room() }
    let doors = (0..<3).map { _ in Door() }
    for (index, door) in doors.enumerated() { (door.room, door.others) = (rooms[index], rooms) }
    (house.doors, house.locked) = (MagicalSet(doors), doors)
    for room in rooms { room.house = house }
    try await magic.update(house)
    let denied = await #expect(throws: MagicError.self) { try await magic.remove(doors[0]) }
    #expect(denied?.code == .stillReferenced)
    #expect(denied?.type == "House")
    try await magic.remove(house)
    #expect(try await magic.query(House.self).count() == 0)
    #expect(try await magic.query(Door.self).count() == 0)
    #expect(try await magic.query(Room.self).count() == 0)
    for table in ["magic_House.doors", "magic_Door.others"] {
      try scratch.expectRows(0, in: table)
    }
    for room in rooms { room.house = nil }
  }

  @Test func anOwnerThatIsSavedAgainHasNoneOfItsCascadedMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let band = Rules.Band()
    let authors = ["a", "b"].map { Author($0) }
    (band.list, band.set, band.roles) = (authors, MagicalSet(authors), ["x": authors[0]])
    try await magic.update(band)
    try await magic.remove(band)
    try await magic.update(band)
    #expect(band.list.isEmpty && band.set.isEmpty && band.roles.isEmpty)
    #expect(try await magic.query(Author.self).count() == 0)
    #expect(try await magic.object(of: Rules.Band.self).map(\.list.count) == [0])
    try scratch.expectWhole()
  }

  @Test(.requires(.files)) func rowIDsOfCascadedRowsAreNotAssignedAgain() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    try await magic.update(Author("first"))
    try await magic.update(contentsOf: (0..<5).map { _ in Rules.Diary(by: author) })
    let band = Rules.Band()
    band.list = ["x", "y", "z"].map { Author($0) }
    try await magic.update(band)
    #expect(band.list[2].zIndex?.rawValue == 5)
    try await magic.remove(band)
    #expect(try await magic.update(Author("new")).rawValue == 6)
    try await magic.remove(author)
    try scratch.raw().execute("DELETE FROM Author WHERE name = 'new'")
    await magic.close()
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await again.update(Rules.Diary(by: Author("later"))).rawValue == 6)
    #expect(try await again.object(of: Author.self).map { $0.zIndex?.rawValue } == [1, 7])
  }

  @Test(.requires(.files)) func rowIDsThatACascadeOfRawSQLDeletedAreNotAssignedAgain() async throws
  {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<5).map { _ in Rules.Diary(by: Author("a")) })
    let band = Rules.Band()
    band.set = [Author("x")]
    try await magic.update(band)
    try scratch.raw().execute("DELETE FROM Band")
    try scratch.raw().execute("DELETE FROM Author WHERE z_index > 2")
    #expect(try await magic.query(Rules.Diary.self).count() == 2)
    let diary = Rules.Diary(by: Author("later"))
    #expect(try await magic.update(diary).rawValue == 6)
    #expect(diary.author.zIndex?.rawValue == 7)
  }
}
