import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// A type of a hierarchy with texts.
struct Topic: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue(.searchable) var text: String = ""
  @OptionMagicValue var parent: Topic?

  init() {}

  init(_ name: String, _ text: String, under parent: Topic? = nil) {
    self.name = name
    self.text = text
    self.parent = parent
  }
}

/// Searches with other parts of queries.
@Suite(.everyEngine, .requires([.queries, .assets, .combinations])) struct CombinedSearchTests {
  let scratch = Scratch()

  private func magic() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func filled() async throws -> MagicData {
    let magic = try await magic()
    try await magic.update(contentsOf: [
      Article("Swift concurrency", "Actors and tasks of Swift."),
      Article(
        "Group commit", "Several writers share one sync of the disk.", tags: ["disk", "swift"]),
      Article("A long text", "This text mentions swift once, among many other words of no use."),
      Article("Résumé writing", "How to write a draft.", section: .life),
    ])
    return magic
  }

  @Test func aSearchOfOneSelectionDoesNotRestrictTheNext() async throws {
    let magic = try await filled()
    let found = magic.query(Article.self).matching("disk").select(\.$title)
    let all = found.union(MagicQuery(Article.self).select(\.$title))
    #expect(try await all.count() == 4)
    #expect(Set(try await all.all()).count == 4)
  }

  @Test func joinedRowsAreThoseThatTheirSearchFinds() async throws {
    let magic = try await filled()
    let disk = MagicQuery(Article.self).matching("disk")
    let pairs = magic.query(Article.self).joined(with: disk) { $0.$views == $1.$views }
    #expect(try await pairs.count() == 4)
  }

  @Test func theFirstRowsOfAWindowAreFoundRows() async throws {
    let magic = try await filled()
    let first = magic.query(Article.self).matching("concurrency")
      .top(1) { .order(by: $0.$title) }
    #expect(try await first.all().map(\.title) == ["Swift concurrency"])
  }

  @Test(.requires(.files)) func aSearchOfASelectionFindsChangesOfAnotherProgram() async throws {
    let magic = try await magic()
    let line = Line()
    line.first = "old"
    try await magic.update(line)
    try scratch.change("UPDATE Line SET first = 'changed'")
    let changed = MagicQuery(Line.self).matching("changed").select(\.$first)
    let old = magic.query(Line.self).matching("old").select(\.$first)
    #expect(try await old.union(changed).all() == ["changed"])
  }

  @Test func aSearchInAHierarchyHasTheOrderOfTheScores() async throws {
    let magic = try await magic()
    let root = Topic("root", "swift")
    let first = Topic("first", "swift with many other words that make it worse", under: root)
    try await magic.update(contentsOf: [
      root, first, Topic("second", "swift", under: root), Topic("third", "rust", under: first),
      Topic("other", "swift"),
    ])
    let query = magic.query(Topic.self).descendants(of: root, by: \.$parent).matching("swift")
    #expect(try await query.all().map(\.name) == ["second", "first"])
    #expect(try await query.count() == 2)
    var streamed: [String] = []
    for try await topic in query.stream() { streamed.append(topic.name) }
    #expect(streamed == ["second", "first"])
  }

  @Test func scoresAreAggregated() async throws {
    let magic = try await filled()
    let query = magic.query(Article.self).matching("swift")
    let hits = try await query.hits()
    let best = try #require(hits.first).score
    #expect(try await query.max { $0.score } == best)
    let groups = try await query.grouped(by: \.$section).max { $0.score }
    #expect(groups.count == 1)
    #expect(groups.first?.key == .dev)
    #expect(groups.compactMap { $0.max } == [best])
  }

  @Test func limitedRowsThatAreGroupedAreTheBest() async throws {
    let magic = try await filled()
    let groups = try await magic.query(Article.self).matching("write").limit(1)
      .grouped(by: \.$title).count()
    #expect(groups.map { $0.key } == ["Résumé writing"])
  }

  /// The limit of a subquery is that of the rows that its search finds, in the order of the subquery.
  @Test func aSubqueryWithASearchHasItsOwnLimit() async throws {
    let magic = try await filled()
    let swift = MagicQuery(Article.self).matching("swift").order(by: \.$title)
    let all = magic.query(Article.self).where { $0.$title.in(swift.select(\.$title)) }
    #expect(
      Set(try await all.all().map(\.title))
        == ["A long text", "Group commit", "Swift concurrency"])
    let first = magic.query(Article.self).where { $0.$title.in(swift.limit(1).select(\.$title)) }
    #expect(try await first.all().map(\.title) == ["A long text"])
    let second = magic.query(Article.self).where {
      $0.$title.in(swift.limit(1).offset(1).select(\.$title))
    }
    #expect(try await second.all().map(\.title) == ["Group commit"])
    #expect(
      try await magic.query(Article.self).matching("disk")
        .where { $0.$title.in(swift.limit(2).select(\.$title)) }.all().map(\.title)
        == ["Group commit"])
    #expect(try await magic.query(Article.self).where { _ in swift.limit(1).exists() }.count() == 4)
  }

  @Test func aLimitCountsTheOwnersOfFoundMembers() async throws {
    let magic = try await filled()
    let articles = try await magic.query(Article.self).order(by: \.$title).all()
    for (number, articles) in [articles, Array(articles.prefix(1)), []].enumerated() {
      let author = Author()
      author.name = "author \(number)"
      for article in articles { author.articles.insert(article) }
      try await magic.update(author)
    }
    let found = magic.query(Author.self).where { $0.$articles.contains { $0.matches("swift") } }
      .order(by: \.$name)
    #expect(try await found.all().map(\.name) == ["author 0", "author 1"])
    #expect(try await found.limit(1).all().map(\.name) == ["author 0"])
    #expect(try await found.limit(1).offset(1).all().map(\.name) == ["author 1"])
    #expect(try await found.limit(1).count() == 1)
  }

  @Test func aLimitedSearchOfJoinedRowsNeedsAnOrder() async throws {
    let magic = try await filled()
    let swift = MagicQuery(Article.self).matching("swift")
    let error = await #expect(throws: MagicError.self) {
      try await magic.query(Article.self)
        .joined(with: swift.limit(1)) { $0.$views == $1.$views }.count()
    }
    #expect(error?.code == .invalidQuery)
    let ordered = swift.order(by: \.$title).limit(1)
    let pairs = magic.query(Article.self).joined(with: ordered) { $0.$views == $1.$views }
    #expect(try await pairs.count() == 4)
  }

  @Test func aSelectionOfATypeWithoutTableHasNoRows() async throws {
    let magic = try await magic()
    let line = Line()
    line.first = "one"
    try await magic.update(line)
    let missing = MagicQuery(Article.self).matching("swift").select(\.$title)
    let lines = magic.query(Line.self).select(\.$first)
    #expect(try await lines.union(missing).all() == ["one"])
  }
}
