import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

struct Desk: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var stories: MagicalSet<Story> = []

  init() {}
  init(_ name: String) { self.name = name }
}

struct Story: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 10)) var title: String
  @MagicValue(.searchable) var body: MagicAsset<String>
  @MagicValue(.searchable) var tags: [String] = []
  @OptionMagicValue var section: Desk?
  @MagicValue var isRead: Bool = false
  static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)).prefixes(2...3) }

  init() { body = .init() }

  init(_ id: Int, _ title: String, _ body: String, tags: [String] = [], in section: Desk) {
    self.init()
    (self.id, self.title, self.tags, self.section) = (id, title, tags, section)
    self.body = .init(value: body)
  }
}

/// The forms in which a search is written, with queries of other kinds.
@Suite(.everyEngine, .requires([.queries, .assets])) struct FormTests {
  let scratch = Scratch()

  private func filled() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (dev, life) = (Desk("dev"), Desk("life"))
    let stories = [
      Story(1, "Swift concurrency", "Actors and tasks.", tags: ["swift"], in: dev),
      Story(2, "Swift conclusions", "A draft about birds.", in: life),
      Story(3, "Storage", "SQLite has a group commit.", tags: ["disk"], in: dev),
      Story(4, "Disks", "The disk is in sync.", in: dev),
      Story(5, "Later", "A draft: the disk is in sync.", in: dev),
    ]
    dev.stories = .init(stories.filter { $0.section?.name == "dev" })
    life.stories = .init(stories.filter { $0.section?.name == "life" })
    try await magic.update(contentsOf: [dev, life])
    return magic
  }

  @Test func aTypedTextIsRestrictedByARelationship() async throws {
    let magic = try await filled()
    let hits = try await magic.query(Story.self)
      .matching("swift conc")
      .where(\.$section.$name == "dev")
      .limit(20)
      .hits()
    let hit = try #require(hits.first)
    #expect(hits.map(\.object.id) == [1])
    #expect(hit.score > 0)
    #expect(hit.snippet(\.$body)?.description == "Actors and tasks.")
    let title = hit.highlighted(\.$title)
    #expect(title.ranges.map { title.text[$0] } == ["Swift", "concurrency"])
    #expect(String(title.attributed.characters) == "Swift concurrency")
  }

  @Test func aPropertyMatchesABuiltSearch() async throws {
    let magic = try await filled()
    let query = magic.query(Story.self)
    let titles = try await query.where {
      $0.$title.matches(.phrase("swift concurrency") || .near("disk", "sync", 5) && !.word("draft"))
    }.all()
    #expect(titles.map(\.id) == [1])
    let bodies = try await query.where {
      $0.$body.matches(.phrase("group commit") || .near("disk", "sync", 5) && !.word("draft"))
    }.order(by: \.$id).all()
    #expect(bodies.map(\.id) == [3, 4])
    #expect(try await query.where { $0.$tags.matches("disk") }.all().map(\.id) == [3])
    #expect(try await query.matching(.raw("c1 : (sync NOT draft)")).all().map(\.id) == [4])
  }

  @Test func membersMatch() async throws {
    let magic = try await filled()
    let desks = try await magic.query(Desk.self)
      .where { $0.$stories.contains { $0.matches("sqlite") } }.all()
    #expect(desks.map(\.name) == ["dev"])
    let counted = try await magic.query(Desk.self)
      .where { $0.$stories.count { $0.matches("draft") } == 1 }.count()
    #expect(counted == 2)
  }

  @Test func foundObjectsAreCountedPagedUpdatedAndDeleted() async throws {
    let magic = try await filled()
    let query = magic.query(Story.self).matching("draft")
    #expect(try await query.count() == 2)
    let first = try await query.page(limit: 1)
    let next = try #require(first.next)
    let second = try await query.page(after: next, limit: 1)
    #expect(Set((first.objects + second.objects).map(\.id)) == [2, 5])
    #expect(try await query.update(set: \.$isRead, to: true) == 2)
    #expect(try await magic.query(Story.self).where(\.$isRead).count() == 2)
    #expect(try await query.delete() == 2)
    #expect(try await query.exists() == false)
    #expect(try await magic.query(Story.self).count() == 3)
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test @MainActor func aLiveQuerySearches() async throws {
    let magic = try await filled()
    let live = MagicLiveQuery(magic.query(Story.self).matching("actors"))
    #expect(await eventually { live.results.map(\.id) == [1] })
    let story = try await magic.object(of: Story.self, primary: 3)
    story.body = .init(value: "Actors share a disk.")
    try await magic.update(story)
    #expect(await eventually { Set(live.results.map(\.id)) == [1, 3] })
  }

  @Test func resultsOfSeveralTypesAreMerged() async throws {
    let magic = try await filled()
    try await magic.update(contentsOf: [Article("Swift birds"), Article("Other")])
    let results = try await magic.search("swift", in: Story.self, Article.self, limit: 2)
    #expect(results.count == 2)
    #expect(results.map(\.score) == results.map(\.score).sorted(by: >))
  }

  @Test func aLimitOfASearchWithoutScoresNeedsAnOrder() async throws {
    let magic = try await filled()
    let query = magic.query(Story.self)
    let draft = MagicQuery(Story.self).matching("draft")
    for combined in [
      query.union(draft.limit(1)), query.except(draft.limit(1)),
      query.matching("draft").limit(1).union(MagicQuery(Story.self).matching("swift")),
    ] {
      let error = await #expect(throws: MagicError.self) { try await combined.all() }
      #expect(error?.code == .invalidQuery)
    }
    let ordered = query.except(draft.order(by: \.$id).limit(1))
    #expect(Set(try await ordered.all().map(\.id)) == [1, 3, 4, 5])
  }

  @Test func theFirstOfEachGroupByScore() async throws {
    let magic = try await filled()
    let query = magic.query(Story.self).matching("swift")
    let error = await #expect(throws: MagicError.self) {
      try await query.top(1) { .partition(by: $0.$isRead).order(by: $0.score, .descending) }.all()
    }
    #expect(error?.code == .invalidQuery)
    let best = try await query.grouped(by: \.$id)
      .top(1) { .order(by: $0.max { $0.score }, .descending) }
      .max { $0.score }
    #expect(best.map(\.key) == [1])
  }
}
