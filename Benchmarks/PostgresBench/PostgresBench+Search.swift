import CPostgresTwin
import MagicData
import Workloads

/// Full-text search. The twin has an index of a tsvector, as programs for PostgreSQL have.
extension PostgresBench {
  func search() async throws {
    guard "P6".hasPrefix(selected.prefix(2)) else { return }
    let articles = PlainArticle.make(20_000)
    let (titles, bodies) = (CStrings(articles.map(\.title)), CStrings(articles.map(\.body)))
    let new = Holder<[Article]>([])
    try await magic.update(Article(articles[0]))
    try sql("DROP TABLE IF EXISTS twin_article")
    try sql(
      """
      CREATE TABLE twin_article (
        z_index bigint PRIMARY KEY, id bigint NOT NULL UNIQUE, title text NOT NULL, body text NOT NULL,
        words tsvector NOT NULL GENERATED ALWAYS AS
          (setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', body)) STORED)
      """)
    try sql("CREATE INDEX ON twin_article USING gin (words)")
    try await compare(
      "P6 insert 20,000 articles with a search index", articles.count,
      prepare: {
        try sql("TRUNCATE \"Article\", twin_article")
        // The first search removes the old entries.
        _ = try await magic.query(Article.self).matching("first").count()
        try sql("CHECKPOINT")
        new.value = articles.map { Article($0) }
      },
      twin: { twin_insert_articles(connection, Int32(articles.count), titles.all, bodies.all) },
      library: { try await magic.update(contentsOf: new.value) })
    new.value = []
    try sql("VACUUM ANALYZE")
    let searches = PlainArticle.searches(200, of: articles)
    let words = CStrings(searches)
    var expected = 0.0
    try await compare(
      "P6 search for two words, the 20 best of 20,000", searches.count,
      twin: {
        expected = 0
        return twin_search(connection, Int32(searches.count), words.all, &expected)
      },
      library: {
        var found = 0
        for search in searches {
          found += try await magic.query(Article.self).matching(search).limit(20).hits().count
        }
        try check(expected, Double(found))
      })
  }
}

/// Texts as C strings.
private final class CStrings {
  let all: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    all = .allocate(capacity: texts.count)
    for (index, text) in texts.enumerated() {
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      for (place, byte) in bytes.enumerated() { copy[place] = byte }
      (all + index).initialize(to: UnsafePointer(copy))
    }
  }

  deinit {
    for index in 0..<count { all[index]?.deallocate() }
    all.deallocate()
  }
}
