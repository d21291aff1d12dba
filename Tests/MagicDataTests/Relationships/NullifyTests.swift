import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// References to a removed object are set to nil.
@Suite(.everyEngine) struct NullifyTests {
  let scratch = Scratch()

  private typealias Author = Rules.Author
  private typealias Essay = Rules.Essay
  private typealias Club = Rules.Club

  @Test func anOptionalToOneIsNullInTheFile() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, ben) = (Author("ada"), Author("ben"))
    let essays = [Essay("a", by: ada), Essay("b", by: ben), Essay("c", by: ada)]
    try await magic.update(contentsOf: essays)
    try await magic.remove(ada)
    #expect(ada.zIndex == nil)
    if TestedEngine.current.has(.files) {
      #expect(
        try scratch.raw().integer("SELECT count(*) FROM Essay WHERE (title = 'b') = (author = 2)")
          == 1)
    }
    #expect(try await magic.query(Essay.self).where(\.$author == nil).count() == 2)
    let fetched = try await magic.object(of: Essay.self)
    #expect(fetched.map { $0.author?.name } == [nil, "ben", nil])
    #expect(try await magic.query(Author.self).count() == 1)
    try scratch.expectWhole()
  }

  @Test func removedMembersLeaveListSetAndDictionary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b", "c", "d"].map { Author($0) }
    let club = Club(authors)
    club.list = authors + authors.reversed()
    try await magic.update(contentsOf: [club, Club(authors)])
    try await magic.remove(authors[1])
    for club in try await magic.object(of: Club.self) {
      #expect(club.set.map(\.name).sorted() == ["a", "c", "d"])
      #expect(club.roles.mapValues(\.name) == ["a": "a", "c": "c", "d": "d"])
    }
    #expect(
      try await magic.object(of: Club.self).map { $0.list.map(\.name).joined() }
        == ["acddca", "acd"])
    try await magic.remove(contentsOf: [authors[0], authors[3]])
    #expect(
      try await magic.object(of: Club.self).map { $0.list.map(\.name).joined() } == ["cc", "c"])
    try await magic.removeAll(of: Author.self)
    for club in try await magic.object(of: Club.self) {
      #expect(club.list.isEmpty && club.set.isEmpty && club.roles.isEmpty)
    }
    try scratch.expectWhole()
  }

  @Test func removeAllDeletesEveryReference() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<1_000).map { Essay("\($0)", by: Author("\($0)")) })
    #expect(try await magic.removeAll(of: Author.self) == 1_000)
    #expect(try await magic.object(of: Essay.self).allSatisfy { $0.author == nil })
    #expect(try await magic.query(Essay.self).count() == 1_000)
  }

  @Test func removingAnOwnerKeepsItsTargets() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b"].map { Author($0) }
    let club = Club(authors)
    let essay = Essay("e", by: authors[0])
    try await magic.update(club)
    try await magic.update(essay)
    try await magic.remove(club)
    try await magic.remove(essay)
    #expect(try await magic.query(Author.self).count() == 2)
    try scratch.expectRows(0, in: "magic_Club.list")
    try scratch.expectRows(0, in: "magic_Club.set")
    try scratch.expectRows(0, in: "magic_Club.roles")
    #expect(authors.allSatisfy { $0.zIndex != nil })
  }

  @Test func aRowThatRefersToItselfIsRemoved() async throws {
    struct Loop: MagicObject { @OptionMagicValue var next: Loop? }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (loop, other) = (Loop(), Loop())
    loop.next = loop
    other.next = loop
    try await magic.update(other)
    try await magic.remove(loop)
    #expect(try await magic.object(of: Loop.self).map { $0.next == nil } == [true])
    loop.next = nil
  }

  @Test(.requires(.files)) func theRuleAppliesToRawSQL() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b"].map { Author($0) }
    try await magic.update(Club(authors))
    try await magic.update(Essay("e", by: authors[0]))
    try scratch.raw().execute("DELETE FROM Author WHERE name = 'a'")
    #expect(try await magic.object(of: Essay.self)[0].author == nil)
    let club = try await magic.object(of: Club.self)[0]
    #expect(club.list.map(\.name) == ["b"])
    #expect(club.set.map(\.name) == ["b"])
    #expect(club.roles.mapValues(\.name) == ["b": "b"])
  }
}
