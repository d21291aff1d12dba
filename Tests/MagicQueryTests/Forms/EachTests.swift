import EngineConformance
import Foundation
import MagicData
import MagicQuery
import SQLiteStore
import Testing

private struct Article: MagicObject {
  @MagicValue var title: String = ""
  @MagicValue var tags: [String] = []
  @OptionMagicValue var scores: Set<Int>?
  @MagicValue var sizes: [String: Int] = [:]
  @MagicValue var kinds: [PhotoKind] = []
  @MagicValue var dates: [Date] = []
  @MagicValue var bytes: [UInt8] = []
  @OptionMagicValue var author: Writer?

  init() {}
  init(_ title: String, _ tags: [String], scores: Set<Int>? = nil) {
    self.title = title
    self.tags = tags
    self.scores = scores
  }
}

private struct Writer: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var topics: [String] = []

  init() {}
  init(_ name: String, _ topics: [String]) {
    self.name = name
    self.topics = topics
  }
}

/// Rows that are combined with the elements of JSON.
@Suite(.everyEngine, .requires(.combinations)) struct EachTests {
  private let test: TestStore
  private let articles: MagicQuery<Article, MagicObjectStore>

  init() throws {
    test = try TestStore()
    let a = Article("a", ["sea", "sun", "\"q\"\n"], scores: [3, 5])
    a.sizes = ["x": 1, "y": 2]
    a.kinds = [.portrait, .landscape]
    a.dates = [Date(timeIntervalSinceReferenceDate: 0.5)]
    a.bytes = [1]
    a.author = Writer("Ada", ["sea", "war"])
    let b = Article("b", ["sea", "sea"], scores: [])
    b.author = a.author
    try test.store.update(contentsOf: [a, b, Article("c", []), Article("d", ["sun"], scores: [5])])
    articles = test.store.query(Article.self)
  }

  @Test func rowsAreCountedForEachElement() throws {
    let tags = articles.grouped(byEach: \.$tags)
    let counts = try tags.order(.descending) { $0.count }.order(byKey: .ascending).count()
    #expect(counts.map { "\($0.key) \($0.count)" } == ["sea 3", "sun 2", "\"q\"\n 1"])
    let articlesOfTags = try tags.order(byKey: .ascending)
      .select { $0.count(distinct: \.$title) }.all()
    #expect(articlesOfTags.map(\.value) == [1, 2, 2])
    #expect(
      try tags.having { $0.count > 1 }.order(byKey: .descending).limit(1).count()[0].key == "sun")
  }

  @Test func conditionsRestrictRowsAndElements() throws {
    let some = articles.where(\.$title != "b")
    let counts = try some.grouped(byEach: \.$tags).order(byKey: .ascending).count()
    #expect(counts.map { "\($0.key) \($0.count)" } == ["\"q\"\n 1", "sea 1", "sun 2"])
    let rows = try articles.each(\.$tags).where { article, tag in
      tag.hasPrefix("s") && article.$title > "a"
    }
    .order { $1 }.order { article, _ in article.$title }
    .select { ($0.$title, $1) }.all()
    #expect(rows.map { $0.0 + $0.1 } == ["bsea", "bsea", "dsun"])
    #expect(try articles.each(\.$tags).where { $1 == "sea" }.count() == 3)
    #expect(try !articles.each(\.$tags).where { $1 == "moon" }.exists())
  }

  @Test func aLimitOfTheQueryAppliesToItsRows() throws {
    let last = articles.order(by: \.$title, .descending).limit(1)
    #expect(try last.each(\.$tags).select { $1 }.all() == ["sun"])
    #expect(try articles.each(\.$tags).order { $1 }.limit(2).select { $1 }.all().count == 2)
  }

  @Test func elementsHaveTheTypesOfConditions() throws {
    let scores = try articles.grouped(byEach: \.$scores).order(byKey: .ascending).count()
    #expect(scores.map { "\($0.key) \($0.count)" } == ["3 1", "5 2"])
    let kinds = try articles.each(\.$kinds).select { $1 }.all()
    #expect(Set(kinds) == [.portrait, .landscape])
    let dates = try articles.each(\.$dates).select { $1 }.all()
    #expect(dates == [Date(timeIntervalSinceReferenceDate: 0.5)])
    let sizes = try articles.each { $0.$sizes.values }.order { $1 }.select { $1 * 10 }.all()
    #expect(sizes == [10, 20])
    let error = #expect(throws: MagicError.self) { try articles.each(\.$bytes).count() }
    #expect(error?.code == .invalidQuery)
  }

  @Test func elementsOfRelatedObjectsAreGrouped() throws {
    let topics = try articles.each(\.$author.$topics).grouped { $1 }
      .order(byKey: .ascending).count()
    #expect(topics.map { "\($0.key) \($0.count)" } == ["sea 2", "war 2"])
  }

  @Test func objectsAreSelectedWithElements() throws {
    let rows = try articles.each(\.$tags).order { article, _ in article.$title }.order { $1 }
      .select { ($0.object, $1) }.all()
    #expect(
      rows.map { "\($0.0.title) \($0.1)" }
        == ["a \"q\"\n", "a sea", "a sun", "b sea", "b sea", "d sun"])
    #expect(rows[1].0.author?.name == "Ada")
  }

  @Test func distinctElementsAreSelected() throws {
    let tags = articles.each(\.$tags).select { $1 }.distinct()
    #expect(try Set(tags.all()) == ["sea", "sun", "\"q\"\n"])
    #expect(try tags.count() == 3)
    #expect(try articles.each(\.$tags).select { $1.uppercased() }.distinct().count() == 3)
  }

  @Test func keysAreTuplesWithElements() throws {
    let rows = try articles.each(\.$tags).grouped { ($1, $0.$author.$name) }
      .order(byKey: .ascending).count()
    #expect(
      rows.map { "\($0.key.0) \($0.key.1 ?? "-") \($0.count)" }
        == ["\"q\"\n Ada 1", "sea Ada 3", "sun - 1", "sun Ada 1"])
  }

  @Test func topGroupsHaveElements() throws {
    let top = try articles.grouped(byEach: \.$tags)
      .select { ($0.count, $0.rank(over: .order(by: $0.count, .descending))) }.all()
    #expect(
      Set(top.map { "\($0.key) \($0.values)" })
        == ["sea (3, 1)", "sun (2, 2)", "\"q\"\n (1, 3)"])
  }
}
