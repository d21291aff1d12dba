import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The delete rule deny: the removal of a referenced object is refused.
@Suite(.everyEngine) struct DenyTests {
  let scratch = Scratch()

  private typealias Author = Rules.Author

  /// Expects that a removal is refused and changes nothing.
  private func expectDenied<Target: MagicObject>(
    _ type: String, _ property: String, _ target: Target, in magic: MagicData,
    at location: SourceLocation = #_sourceLocation, _ removal: () async throws -> Void
  ) async throws {
    let rows = try await magic.query(Target.self).count()
    let zIndex = target.zIndex
    let error = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await removal()
    }
    #expect(error?.code == .stillReferenced, sourceLocation: location)
    #expect(error?.type == type, sourceLocation: location)
    #expect(error?.property == property, sourceLocation: location)
    #expect(try await magic.query(Target.self).count() == rows, sourceLocation: location)
    #expect(target.zIndex == zIndex, sourceLocation: location)
    #expect(zIndex != nil, sourceLocation: location)
    try scratch.expectWhole(sourceLocation: location)
  }

  @Test func aRequiredToOneRefusesARemoval() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    let novel = Rules.Novel("n", by: author)
    try await magic.update(novel)
    try await expectDenied("Novel", "author", author, in: magic) { try await magic.remove(author) }
    try await expectDenied("Novel", "author", author, in: magic) {
      try await magic.remove(contentsOf: [author])
    }
    try await expectDenied("Novel", "author", author, in: magic) {
      try await magic.removeAll(of: Author.self)
    }
    // The objects in memory are unchanged.
    author.name = "changed"
    try await magic.update(novel)
    #expect(try await magic.object(of: Rules.Novel.self).map(\.author.name) == ["changed"])
    try await magic.remove(novel)
    try await magic.remove(author)
    #expect(try await magic.query(Author.self).count() == 0)
  }

  @Test func anOptionalToOneCanRefuseARemoval() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    let review = Rules.Review(by: author)
    try await magic.update(review)
    try await expectDenied("Review", "author", author, in: magic) { try await magic.remove(author) }
    review.author = nil
    try await magic.update(review)
    try await magic.remove(author)
    #expect(try await magic.query(Rules.Review.self).count() == 1)
  }

  @Test func aRolledBackRemovalIsNotReportedAsTheRefusedOne() async throws {
    struct Stop: Error {}
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (kept, removed) = (Author("kept"), Author("removed"))
    try await magic.update(Rules.Novel("n", by: kept))
    try await magic.update(Rules.Review(by: removed))
    try await expectDenied("Review", "author", removed, in: magic) {
      try await magic.transaction { transaction in
        #expect(throws: Stop.self) {
          try transaction.transaction { inner in
            try inner.remove(kept)
            throw Stop()
          }
        }
        try transaction.remove(removed)
      }
    }
  }

  @Test(arguments: ["list", "set", "roles"]) func collectionsCanRefuseARemoval(_ property: String)
    async throws
  {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = ["a", "b"].map { Author($0) }
    let jury = Rules.Jury()
    switch property {
    case "list": jury.list = authors
    case "set": jury.set = MagicalSet(authors)
    default: jury.roles = ["first": authors[0], "second": authors[1]]
    }
    try await magic.update(jury)
    try await expectDenied("Jury", property, authors[1], in: magic) {
      try await magic.remove(authors[1])
    }
    try await expectDenied("Jury", property, authors[1], in: magic) {
      try await magic.remove(contentsOf: authors)
    }
    try await expectDenied("Jury", property, authors[0], in: magic) {
      try await magic.removeAll(of: Author.self)
    }
    try await magic.remove(jury)
    try await magic.remove(contentsOf: authors)
    #expect(try await magic.query(Author.self).count() == 0)
  }

  @Test func oneReferencedMemberPreventsTheRemovalOfAll() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let authors = (0..<500).map { Author("\($0)") }
    try await magic.update(contentsOf: authors)
    try await magic.update(Rules.Novel("n", by: authors[400]))
    try await expectDenied("Novel", "author", authors[400], in: magic) {
      try await magic.remove(contentsOf: authors)
    }
    #expect(authors.allSatisfy { $0.zIndex != nil })
  }

  @Test(arguments: [false, true]) func ownerAndTargetAreRemovedTogether(_ ownerFirst: Bool)
    async throws
  {
    struct Twin: MagicObject { @OptionMagicValue(.onDelete(.deny)) var other: Twin? }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (owner, target) = (Twin(), Twin())
    owner.other = target
    try await magic.update(owner)
    try await expectDenied("Twin", "other", target, in: magic) { try await magic.remove(target) }
    try await magic.remove(contentsOf: ownerFirst ? [owner, target] : [target, owner])
    #expect(try await magic.query(Twin.self).count() == 0)
    #expect(owner.zIndex == nil && target.zIndex == nil)
  }

  @Test func aCycleOfRequiredReferencesIsRemovedTogetherAndByRemoveAll() async throws {
    struct Ring: MagicObject { @MagicValue var next: Ring }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ring = (0..<3).map { _ in Ring() }
    for (index, one) in ring.enumerated() { one.next = ring[(index + 1) % 3] }
    defer { for one in ring { one.next = one } }
    try await magic.update(ring[0])
    try await expectDenied("Ring", "next", ring[1], in: magic) { try await magic.remove(ring[1]) }
    try await expectDenied("Ring", "next", ring[1], in: magic) {
      try await magic.remove(contentsOf: ring[..<2])
    }
    try await magic.remove(contentsOf: ring)
    #expect(try await magic.query(Ring.self).count() == 0)
    try await magic.update(contentsOf: ring)
    #expect(try await magic.removeAll(of: Ring.self) == 3)
  }

  @Test func aCollectionOfItsOwnTypeRefusesOrIsRemovedTogether() async throws {
    struct Part: MagicObject { @MagicValue(.onDelete(.deny)) var parts: [Part] = [] }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (whole, part) = (Part(), Part())
    whole.parts = [part, part]
    try await magic.update(whole)
    try await expectDenied("Part", "parts", part, in: magic) { try await magic.remove(part) }
    try await magic.remove(contentsOf: [part, whole])
    #expect(try await magic.query(Part.self).count() == 0)
    try scratch.expectRows(0, in: "magic_Part.parts")
  }

  @Test func aRefusalWithinACascadeRemovesNothing() async throws {
    struct Page: MagicObject {
      @OptionMagicValue(.onDelete(.cascade)) var parent: Page?
    }
    struct Bookmark: MagicObject { @MagicValue var page: Page }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    var pages = [Page()]
    for _ in 0..<50 {
      let page = Page()
      page.parent = pages.last
      pages.append(page)
    }
    let mark = Bookmark()
    mark.page = pages[40]
    try await magic.update(contentsOf: pages)
    try await magic.update(mark)
    try await expectDenied("Bookmark", "page", pages[0], in: magic) {
      try await magic.remove(pages[0])
    }
    try await expectDenied("Bookmark", "page", pages[10], in: magic) {
      try await magic.removeAll(of: Page.self)
    }
    #expect(try await magic.query(Page.self).count() == 51)
    try await magic.remove(pages[41])
    #expect(try await magic.query(Page.self).count() == 41)
    try await magic.remove(mark)
    try await magic.remove(pages[0])
    #expect(try await magic.query(Page.self).count() == 0)
  }

  @Test func theCascadeOfACollectionIsRefusedByADeny() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    let band = Rules.Band()
    band.set = [author]
    try await magic.update(band)
    let novel = Rules.Novel("n", by: author)
    try await magic.update(novel)
    try await expectDenied("Novel", "author", band, in: magic) { try await magic.remove(band) }
    try scratch.expectRows(1, in: "magic_Band.set")
    try await magic.remove(novel)
    try await magic.remove(band)
    #expect(try await magic.query(Author.self).count() == 0)
  }

  @Test func rawSQLIsRefusedToo() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = Author("a")
    try await magic.update(Rules.Novel("n", by: author))
    #expect(throws: SQLiteError.self) { try scratch.raw().execute("DELETE FROM Author") }
    #expect(try await magic.query(Author.self).count() == 1)
  }

  @Test(.requires(.reopening)) func ownersOfATypeThatThisProcessHasNotUsedRefuseARemoval()
    async throws
  {
    enum Other { struct Author: MagicObject { @MagicValue var name: String } }
    let writer = try await MagicData.onTestedEngine(path: scratch.file())
    try await writer.update(Rules.Novel("n", by: Author("a")))
    try await writer.update(Rules.Review(by: try await writer.object(of: Author.self)[0]))
    await writer.close()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let author = try await magic.object(of: Other.Author.self)[0]
    try await expectDenied("Novel", "author", author, in: magic) { try await magic.remove(author) }
    guard TestedEngine.current.has(.files) else { return }
    try scratch.raw().execute("DELETE FROM Novel")
    let error = await #expect(throws: MagicError.self) { try await magic.remove(author) }
    #expect(error?.code == .stillReferenced)
    #expect(error?.type == "Review")
    try scratch.raw().execute("DELETE FROM Review")
    try await magic.remove(author)
    #expect(try await magic.query(Author.self).count() == 0)
  }
}
