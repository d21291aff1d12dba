import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

/// The places of found words in the texts of hits.
@Suite(.everyEngine, .requires([.queries, .assets])) struct HighlightTests {
  let scratch = Scratch()
  /// A text in a file is read only while its database is open.
  let magic: MagicData

  init() async throws { magic = try await MagicData.onTestedEngine(path: scratch.file()) }

  private func hit(
    _ article: Article, _ match: MagicMatch
  ) async throws -> MagicHit<Article> {
    try await magic.update(article)
    return try #require(try await magic.query(Article.self).matching(match).hits().first)
  }

  @Test func foundWordsAreMarked() async throws {
    let article = Article("Résumés and résumé-writing", "A draft", tags: ["other", "the resume"])
    article.note = "no resume"
    let hit = try await hit(article, .typed("resume writ"))
    #expect(hit.highlighted(\.$title).description == "[Résumés] and [résumé]-[writing]")
    #expect(hit.highlighted(\.$title).marked("<b>", "</b>").hasPrefix("<b>Résumés</b> and "))
    #expect(hit.highlighted(\.$tags).map(\.description) == ["other", "the [resume]"])
    #expect(hit.highlighted(\.$note)?.description == "no [resume]")
    #expect(hit.highlighted(\.$body)?.ranges.isEmpty == true)
  }

  @Test func rangesAreThoseOfTheText() async throws {
    let hit = try await hit(Article("👩‍👩‍👧 swift e\u{301}té"), .word("swift") && .word("ete"))
    let title = hit.highlighted(\.$title)
    #expect(title.ranges.map { String(title.text[$0]) } == ["swift", "e\u{301}té"])
    #expect(title.text == hit.object.title)
  }

  @Test func phrasesAndPrefixesAreMarkedAsWhole() async throws {
    let hit = try await hit(
      Article("Group commit, commit group, groups committed"),
      .phrase("group commit") || .word("nothing"))
    #expect(
      hit.highlighted(\.$title).description
        == "[Group commit], commit group, [groups committed]")
  }

  @Test func excludedWordsAndOtherPropertiesAreNotMarked() async throws {
    let article = Article("swift", "a swift text")
    try await magic.update(article)
    let hit = try #require(
      try await magic.query(Article.self)
        .matching(.word("swift") && !.word("draft"), in: \.$title).hits().first)
    #expect(hit.highlighted(\.$title).description == "[swift]")
    #expect(hit.highlighted(\.$body)?.description == "a swift text")
  }

  @Test func aSnippetHasThePlaceWithMostWords() async throws {
    let filler = Array(repeating: "filler", count: 100).joined(separator: " ")
    let hit = try await hit(
      Article("x", "swift \(filler) swift and concurrency are here \(filler)"),
      .typed("swift concurrency "))
    let snippet = try #require(hit.snippet(\.$body, words: 8))
    #expect(
      snippet.description
        == "…filler filler filler [swift] and [concurrency] are here…")
    let text = try #require(hit.object.body.value)
    #expect(text[snippet.range] == snippet.text)
    #expect(hit.snippet(\.$title).description == "x")
    #expect(hit.snippet(\.$title).isCutAtStart == false)
  }

  @Test func attributedTextsHaveTheFoundWords() async throws {
    let hit = try await hit(Article("The swift text"), .word("swift"))
    let attributed = hit.highlighted(\.$title).attributed
    let found = attributed.runs.filter { $0[MagicFoundWord.self] == true }
      .map { String(attributed[$0.range].characters) }
    #expect(found == ["swift"])
    #expect(String(attributed.characters) == "The swift text")
  }
}
