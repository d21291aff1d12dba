import MagicData
import Workloads

extension MagicDataEngine {
  func insertArticles(_ articles: [PlainArticle]) -> Job {
    let articles = articles.map(Article.init)
    return { _ in
      try await magic.update(contentsOf: articles)
      return Checksum()
    }
  }

  func saveArticles(_ articles: [PlainArticle], areObserved: Bool) -> Job {
    let articles = articles.map(Article.init)
    return { run in
      let changes = areObserved ? magic.changes(of: Article.self) : nil
      for article in articles {
        let start = run.begin()
        try await magic.update(article)
        run.end(start)
      }
      return withExtendedLifetime(changes) { Checksum() }
    }
  }

  func searchArticles(_ searches: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for search in searches {
        let start = run.begin()
        let hits = try await magic.query(Article.self).matching(search).limit(20).hits()
        for (index, hit) in hits.enumerated() {
          checksum.add(
            place: index + 1, number: hit.object.id, title: hit.object.title,
            body: hit.object.body, score: hit.score)
        }
        run.end(start)
      }
      return checksum
    }
  }

  func rebuildSearchIndex() -> Job {
    { _ in
      try await magic.migrate(Changed.Article.self)
      return Checksum()
    }
  }

  func insertPassages(_ passages: [PlainPassage]) -> Job {
    { _ in
      for start in stride(from: 0, to: passages.count, by: 10_000) {
        let part = passages[start..<min(start + 10_000, passages.count)]
        try await magic.update(contentsOf: part.map(Passage.init))
      }
      return Checksum()
    }
  }

  func findNearest(_ searches: [[Float]]) -> Job {
    { _ in
      var checksum = Checksum()
      for search in searches {
        let nearest = try await magic.query(Passage.self)
          .order(nearest: .distance(\.$embedding, to: MagicVector(search))).limit(20).all()
        for (place, passage) in nearest.enumerated() {
          checksum.add(
            place: place, number: passage.id, first: passage.embedding?.elements.first ?? 0)
        }
      }
      return checksum
    }
  }
}
