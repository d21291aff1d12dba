import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

struct Essay: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue(.searchable(weight: 10)) var title: String
  @MagicValue(.searchable) var body: MagicAsset<String>
  @MagicValue(.searchable) var tags: [String] = []
  @MagicValue var section: String = "dev"
  static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)).prefixes(2...3) }

  init() { body = .init() }
}

struct Writer: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var name: String
  @MagicValue var essays: MagicalSet<Essay> = []

  init() {}
}

/// The examples of searches.
@Suite struct DocumentedSearch {
  private func database() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    let writer = Writer()
    writer.name = "Ada Swift"
    for (title, body) in [
      ("Swift concurrency", "This is an essay about Swift and its tasks."),
      ("Storage", "SQLite has a group commit."),
    ] {
      let essay = Essay()
      essay.title = title
      essay.body = .init(value: body)
      writer.essays.insert(essay)
    }
    try await magic.update(writer)
    return magic
  }

  @Test func whatAPersonTypesIsFound() async throws {
    let magic = try await database()

    let hits = try await magic.query(Essay.self)
      .matching("swift conc")
      .where(\.$section == "dev")
      .limit(20)
      .hits()

    #expect(hits.map(\.object.title) == ["Swift concurrency"])

    for hit in try await magic.query(Essay.self).matching("swift").hits() {
      print(hit.highlighted(\.$title).marked("<b>", "</b>"), hit.score)
      if let snippet = hit.snippet(\.$body) { print(snippet) }  // …an essay about [Swift] and…
    }

    let title = hits[0].highlighted(\.$title)
    let words = title.ranges.map { title.text[$0] }
    let attributed = title.attributed

    #expect(words == ["Swift", "concurrency"])
    #expect(attributed.runs.filter { $0[MagicFoundWord.self] == true }.count == 2)
    let marked = title.marked("<b>", "</b>")
    #expect(marked == "<b>Swift</b> <b>concurrency</b>")
    try await read(magic)
    await magic.close()
  }

  private func read(_ magic: MagicData) async throws {
    let count = try await magic.query(Essay.self).matching("swift").count()
    let scores = try await magic.query(Essay.self).matching("swift")
      .select { ($0.$title, $0.score) }.all()
    let moved = try await magic.query(Essay.self).matching("swift")
      .update(set: \.$section, to: "archive")
    let deleted = try await magic.query(Essay.self).matching(.word("draft")).delete()

    #expect(count == 1)
    #expect(scores.count == 1)
    #expect(moved == 1)
    #expect(deleted == 0)
  }

  @Test func searchesAreBuilt() async throws {
    let magic = try await database()

    let found = try await magic.query(Essay.self)
      .matching(.phrase("group commit") || .near("disk", "sync", 5) && !.word("draft"))
      .all()

    #expect(found.map(\.title) == ["Storage"])

    let titled = try await magic.query(Essay.self)
      .matching(.word("swift"), in: \.$title, \.$tags)
      .all()
    let either = try await magic.query(Essay.self)
      .where { $0.$title.matches("swift") || $0.$section == "life" }
      .all()
    let built = try await magic.query(Essay.self)
      .where {
        $0.$body.matches(.phrase("group commit") || .near("disk", "sync", 5) && !.word("draft"))
      }
      .all()
    let writers = try await magic.query(Writer.self)
      .where { $0.$essays.contains { $0.matches("sqlite") } }
      .all()

    #expect(titled.count == 1)
    #expect(either.count == 1)
    #expect(built.map(\.title) == ["Storage"])
    #expect(writers.count == 1)

    let raw = try await magic.query(Essay.self).matching(.raw("c0 : swift NOT draft")).all()

    #expect(raw.map(\.title) == ["Swift concurrency"])

    let results = try await magic.search("swift", in: Essay.self, Writer.self, limit: 10)

    #expect(results.count == 2)
    await magic.close()
  }

  @Test func hitsAreLive() async throws {
    let magic = try await database()
    let text = "swift"
    let task = Task {
      for try await hits in magic.query(Essay.self).matching(text).hits().values() {
        print(hits.map { $0.highlighted(\.$title).description })
      }
    }
    let values = magic.query(Essay.self).matching(text).hits().values()
    #expect(try await values.first { _ in true }?.count == 1)
    task.cancel()
    _ = await task.result
    await magic.close()
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test @MainActor func resultsOfAViewAreLive() async throws {
    let magic = try await database()
    let text = "swift"

    let live = MagicLiveQuery(magic.query(Essay.self).matching(text))

    let isFound = await eventually { live.results.count == 1 }
    #expect(isFound)
  }
}
