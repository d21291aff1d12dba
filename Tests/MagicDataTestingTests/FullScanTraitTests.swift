import MagicData
import MagicDataTesting
import Testing

private struct Novel: MagicObject {
  @MagicValue(.indexed) var title: String = ""
  @MagicValue var pages: Int = 0

  init() {}
}

/// The trait that records full scans as issues.
@Suite(.noFullScans) struct FullScanTraitTests {
  private func novels() async throws -> MagicQuery<Novel, MagicData> {
    let magic = try await MagicData(type: .temporary)
    let novel = Novel()
    novel.title = "Emma"
    novel.pages = 400
    try await magic.update(novel)
    return magic.query(Novel.self)
  }

  @Test func searchesAndReadsOfAllRowsAreNoIssues() async throws {
    let novels = try await novels()
    #expect(try await novels.where(\.$title == "Emma").count() == 1)
    #expect(try await novels.all().count == 1)
    #expect(try await novels.sum(\.$pages) == 400)
    #expect(try await novels.order(by: \.$pages).first()?.pages == 400)
  }

  @Test func aFullScanIsAnIssueWithTheTableAndTheIndex() async throws {
    let novels = try await novels()
    try await withKnownIssue {
      _ = try await novels.where(\.$pages > 300).count()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("Full scan of Novel") && text.contains("(.indexed) var pages")
        && text.contains("SELECT count(*)")
    }
  }

  @Test func aStatementIsReportedOnceInATest() async throws {
    let novels = try await novels()
    let count = Counter()
    try await withKnownIssue {
      for pages in 0..<5 { _ = try await novels.where(\.$pages > pages).count() }
      _ = try await novels.where(\.$pages > 5).first()
    } matching: { _ in
      count.add()
      return true
    }
    #expect(count.value == 2)
  }
}

private final class Counter: @unchecked Sendable {
  private(set) var value = 0
  func add() { value += 1 }
}
