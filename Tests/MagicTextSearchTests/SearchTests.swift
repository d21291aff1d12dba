import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

/// What searches find.
@Suite(.everyEngine, .requires([.queries, .assets])) struct SearchTests {
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

  @Test func wordsAreFoundInTextsFilesAndLists() async throws {
    let magic = try await filled()
    #expect(try await magic.titles("concurrency") == ["Swift concurrency"])
    #expect(try await magic.titles("writers") == ["Group commit"])
    #expect(Set(try await magic.titles("disk")) == ["Group commit"])
    #expect(try await magic.titles("nothing").isEmpty)
  }

  @Test func theBestMatchIsFirst() async throws {
    let magic = try await filled()
    let hits = try await magic.query(Article.self).matching("swift").hits()
    #expect(hits.map(\.object.title).first == "Swift concurrency")
    #expect(hits.count == 3)
    #expect(hits.map(\.score) == hits.map(\.score).sorted(by: >))
    #expect(try await magic.titles("swift") == hits.map(\.object.title))
  }

  @Test func theLastWordMayBeIncomplete() async throws {
    let magic = try await filled()
    #expect(try await magic.titles("swift conc") == ["Swift concurrency"])
    #expect(try await magic.titles("swift conc ").isEmpty)
    #expect(Set(try await magic.titles("c")) == ["Swift concurrency", "Group commit"])
  }

  @Test func accentsCaseAndFormsOfWordsAreEqual() async throws {
    let magic = try await filled()
    #expect(try await magic.titles("RESUME ") == ["Résumé writing"])
    #expect(try await magic.titles("concurrencies ") == ["Swift concurrency"])
  }

  @Test func conditionsOrdersAndLimitsApply() async throws {
    let magic = try await filled()
    let query = magic.query(Article.self).matching("write")
    #expect(try await query.where(\.$section == .life).all().map(\.title) == ["Résumé writing"])
    #expect(
      try await query.order(by: \.$title).all().map(\.title) == ["Group commit", "Résumé writing"])
    #expect(try await query.count() == 2)
    #expect(try await query.exists())
    #expect(try await query.limit(1).offset(1).all().count == 1)
    #expect(try await query.limit(1).count() == 1)
    #expect(try await query.select(\.$title).all().count == 2)
    #expect(try await query.first() != nil)
  }

  @Test func pagesAndStreamsHaveTheOrderOfTheScores() async throws {
    let magic = try await filled()
    let query = magic.query(Article.self).matching("swift")
    let all = try await query.all().map(\.title)
    let first = try await query.page(limit: 2)
    let next = try #require(first.next)
    let second = try await query.page(after: next, limit: 2)
    #expect((first.objects + second.objects).map(\.title) == all)
    var streamed: [String] = []
    for try await article in query.stream() { streamed.append(article.title) }
    #expect(streamed == all)
  }

  @Test func matchesAreBuilt() async throws {
    let magic = try await filled()
    func titles(_ match: MagicMatch) async throws -> Set<String> {
      Set(try await magic.query(Article.self).matching(match).all().map(\.title))
    }
    #expect(try await titles(.phrase("group commit")) == ["Group commit"])
    #expect(try await titles(.phrase("commit group")) == [])
    #expect(try await titles(.near("writers", "disk", 5)) == ["Group commit"])
    #expect(try await titles(.near("writers", "disk", 1)) == [])
    #expect(
      try await titles(.word("swift") && !.word("actors")) == ["Group commit", "A long text"])
    #expect(
      try await titles(.phrase("group commit") || .prefix("resu"))
        == ["Group commit", "Résumé writing"])
    #expect(try await titles(!.word("swift") && .word("write")) == ["Résumé writing"])
    #expect(try await titles(.raw("c0 : swift")) == ["Swift concurrency"])
    await #expect(throws: MagicError.self) { try await titles(!.word("swift")) }
    await #expect(throws: MagicError.self) { try await titles(!.word("swift") && !.word("b")) }
    let error = await #expect(throws: MagicError.self) { try await titles(.raw("a AND (")) }
    #expect(error?.code == .invalidQuery)
  }

  @Test func oneOrSomePropertiesAreSearched() async throws {
    let magic = try await filled()
    let query = magic.query(Article.self)
    #expect(
      try await query.matching(.word("swift"), in: \.$title).all().map(\.title)
        == ["Swift concurrency"])
    #expect(try await query.matching(.word("swift"), in: \.$title, \.$tags).count() == 2)
    #expect(try await query.where { $0.$title.matches("swift") }.count() == 1)
    let either = query.where { $0.$tags.matches("disk") || $0.$title.matches("resume") }
    #expect(try await either.count() == 2)
    #expect(try await query.where { !$0.matches("swift") }.count() == 1)
    let error = await #expect(throws: MagicError.self) {
      try await query.where { $0.$views.matches("1") }.all()
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.property == "views")
  }

  @Test func searchesReachAcrossRelationships() async throws {
    let magic = try await magic()
    let author = Author()
    (author.id, author.name) = (1, "Ada")
    author.articles.insert(Article("About SQLite"))
    let other = Author()
    (other.id, other.name) = (2, "Bob")
    try await magic.update(contentsOf: [author, other])
    let found = try await magic.query(Author.self)
      .where { $0.$articles.contains { $0.matches("sqlite") } }.all()
    #expect(found.map(\.name) == ["Ada"])
  }

  @Test func changesAreFoundAtOnce() async throws {
    let magic = try await filled()
    let article = try #require(try await magic.query(Article.self).matching("group").first())
    article.title = "Renamed"
    article.body = .init(value: "Another file")
    try await magic.update(article)
    #expect(try await magic.titles("group").isEmpty)
    #expect(try await magic.titles("writers").isEmpty)
    #expect(try await magic.titles("another file") == ["Renamed"])
    try await magic.remove(article)
    #expect(try await magic.titles("renamed").isEmpty)
    try await magic.transaction { transaction in
      try transaction.update(Article("Inside"))
      #expect(try transaction.query(Article.self).matching("inside").count() == 1)
    }
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func rolledBackChangesAreNotFound() async throws {
    let magic = try await filled()
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(Article("Vanished"))
        #expect(try transaction.query(Article.self).matching("vanished").count() == 1)
        throw Stop()
      }
    }
    #expect(try await magic.titles("vanished").isEmpty)
    #expect(try await magic.titles("swift").count == 3)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func matchesAreUpdatedAndDeleted() async throws {
    let magic = try await filled()
    let query = magic.query(Article.self).matching("swift")
    #expect(try await query.update(set: \.$views += 1) == 3)
    #expect(try await magic.query(Article.self).where(\.$views == 1).count() == 3)
    #expect(try await magic.query(Article.self).matching("swift").limit(1).delete() == 1)
    #expect(!(try await magic.titles("swift")).contains("Swift concurrency"))
    #expect(try await query.delete() == 2)
    #expect(try await magic.titles("swift").isEmpty)
    #expect(try await magic.query(Article.self).count() == 1)
  }

  @Test func queriesWithSearchesAreCombined() async throws {
    let magic = try await filled()
    let swift = MagicQuery(Article.self).matching("swift")
    let all = try await magic.query(Article.self).matching("writ").union(swift).all()
    #expect(Set(all.map(\.title)).count == 4)
    #expect(try await magic.query(Article.self).matching("disk").intersect(swift).count() == 1)
    #expect(try await magic.query(Article.self).except(swift).count() == 1)
  }

  @Test func scoresAreOrdersAndConditions() async throws {
    let magic = try await filled()
    let scores = try await magic.query(Article.self).matching("swift").select { $0.score }.all()
    #expect(scores.count == 3)
    let best = try #require(scores.first)
    #expect(
      try await magic.query(Article.self).matching("swift").where { $0.score >= best }.count() == 1)
    let error = await #expect(throws: MagicError.self) {
      try await magic.query(Article.self).order { $0.score }.all()
    }
    #expect(error?.code == .invalidQuery)
    await #expect(throws: MagicError.self) { try await magic.query(Article.self).hits() }
  }

  @Test func severalTypesAreSearchedTogether() async throws {
    let magic = try await filled()
    try await magic.update(Label("swift-17"))
    let results = try await magic.search("swift", in: Article.self, Label.self, limit: 3)
    #expect(results.count == 3)
    #expect(results.map(\.score) == results.map(\.score).sorted(by: >))
  }

  @Test(.enabled(if: SQLiteFeature.trigrams.isThere, "Trigrams need SQLite 3.34."))
  func trigramsFindPartsOfWords() async throws {
    let magic = try await magic()
    try await magic.update(contentsOf: [Part("XK-4711-b"), Part("東京都港区"), Part("other")])
    func codes(_ text: String) async throws -> [String] {
      try await magic.query(Part.self).matching(text).all().map(\.code)
    }
    #expect(try await codes("471") == ["XK-4711-b"])
    #expect(try await codes("都港区") == ["東京都港区"])
    #expect(try await codes("47").isEmpty)
  }

  @Test func anyTextIsASearch() async throws {
    let magic = try await filled()
    let texts = [
      "", " ", "\"", "swift\"", "NEAR(", "AND", "OR NOT", "c0 : x", "*", "^swift", "-", "{c0}:",
      "a\0b", "😀", "مرحبا", "--", "(((", "'", "swift'; DROP TABLE Article", "\u{FEFF}", "a -- b",
      String(repeating: "x", count: 60_000), "+", "swift + sql", "\u{301}",
    ]
    for text in texts {
      _ = try await magic.titles(text)
      _ = try await magic.query(Article.self).matching(text).hits()
      for match in [MagicMatch.word(text), .phrase(text), .prefix(text), .near(text, "b", 2)] {
        _ = try await magic.query(Article.self).matching(match || .word("swift")).count()
      }
    }
    #expect(try await magic.titles("-- swift ++").count == 3)
    for text in [
      String(repeating: "x", count: 1_000_000), String(repeating: "a ", count: 500_000),
    ] {
      let error = await #expect(throws: MagicError.self) { try await magic.titles(text) }
      #expect(error?.code == .invalidQuery)
    }
  }

  @Test func aTypeWithoutTableHasNoMatches() async throws {
    let magic = try await magic()
    #expect(try await magic.titles("swift").isEmpty)
    #expect(try await magic.query(Article.self).matching("swift").hits().isEmpty)
    #expect(try await magic.query(Article.self).matching("swift").count() == 0)
    try await magic.update(Label("none"))
    #expect(try await magic.query(Article.self).where { $0.matches("swift") }.count() == 0)
  }
}
