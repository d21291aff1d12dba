import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Searches that follow the changes of the database.
@Suite(.everyEngine, .requires([.queries, .assets])) struct LiveSearchTests {
  let scratch = Scratch()

  @Test func hitsFollowTheTexts() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Article("One swift"), Article("Two")])
    var values = magic.query(Article.self).matching("swift").hits().values().makeAsyncIterator()
    #expect(try await values.next()?.map(\.object.title) == ["One swift"])
    let other = try #require(try await magic.query(Article.self).where(\.$title == "Two").first())
    other.title = "Two swift"
    try await magic.update(other)
    #expect(try await values.next()?.count == 2)
  }

  @Test func objectsOfALiveSearchFollowTheTexts() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Article("One swift"))
    var values = magic.query(Article.self).matching("swift").values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    try await magic.update(Article("Other"))
    try await magic.update(Article("Two swift"))
    #expect(try await values.next()?.count == 2)
  }

  @Test func aSearchDependsOnTheColumnsThatItSearches() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: [Article("One swift"), Article("Two")])
    var counts = magic.query(Article.self).matching("swift").select(\.$title).values()
      .makeAsyncIterator()
    #expect(try await counts.next() == ["One swift"])
    try await magic.update(Label("unrelated"))
    try await magic.query(Article.self).update(set: \.$views += 1)
    let article = try #require(try await magic.query(Article.self).where(\.$title == "Two").first())
    article.title = "Two swift"
    try await magic.update(article)
    #expect(try await counts.next()?.count == 2)
  }
}
