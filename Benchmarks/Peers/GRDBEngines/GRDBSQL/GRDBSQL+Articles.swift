internal import GRDB
internal import Workloads

/// The C twin's rows with a full-text index: the same tables, tokenizer and weights.
///
/// https://swiftpackageindex.com/groue/grdb.swift/v7.10.0/documentation/grdb/fulltextsearch
extension GRDBSQL {
  func insert(_ articles: [PlainArticle]) -> Job {
    { _ in
      try await pool.write { db in
        for article in articles { try Self.insert(article, db) }
      }
      return Checksum()
    }
  }

  func save(_ articles: [PlainArticle]) -> Job {
    { run in
      for article in articles {
        let start = run.begin()
        try await pool.write { db in try Self.insert(article, db) }
        run.end(start)
      }
      return Checksum()
    }
  }

  /// Saves with an observation of the articles, which runs after each commit.
  func saveObserved(_ articles: [PlainArticle]) -> Job {
    { run in
      let observation = DatabaseRegionObservation(tracking: Table("article"))
      let cancellable = observation.start(in: pool) { _ in
      } onChange: { _ in
      }
      defer { cancellable.cancel() }
      return try await save(articles)(run)
    }
  }

  private static func insert(_ article: PlainArticle, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT INTO article (id, title, body) VALUES (?, ?, ?)")
      .execute(arguments: [article.number, article.title, article.body])
    try db.cachedStatement(sql: "INSERT INTO article_index (rowid, c0, c1) VALUES (?, ?, ?)")
      .execute(arguments: [db.lastInsertedRowID, article.title, article.body])
  }

  func search(_ searches: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for search in searches {
        let start = run.begin()
        guard let pattern = FTS5Pattern(matchingAllTokensIn: search) else { continue }
        let found = try await pool.read { db in
          let statement = try db.cachedStatement(
            sql: """
              SELECT article.id, article.title, article.body, found.score
              FROM (SELECT rowid AS id, -bm25(article_index, 10.0, 1.0) AS score FROM article_index
                WHERE article_index MATCH ? ORDER BY score DESC, rowid LIMIT 20) AS found
              JOIN article ON article.z_index = found.id ORDER BY found.score DESC, found.id
              """)
          var found: [FoundArticle] = []
          let rows = try Row.fetchCursor(statement, arguments: [pattern])
          while let row = try rows.next() { found.append(FoundArticle(row)) }
          return found
        }
        for (index, article) in found.enumerated() {
          checksum.add(
            place: index + 1, number: article.number, title: article.title, body: article.body,
            score: article.score)
        }
        run.end(start)
      }
      return checksum
    }
  }

  func rebuildSearchIndex() -> Job {
    { _ in
      try await pool.write { db in
        try db.drop(table: "article_index")
        try db.execute(sql: Schema.articleIndex(keepsAccents: true))
        try db.execute(
          sql: """
            INSERT INTO article_index (rowid, c0, c1) SELECT z_index, title, body FROM article
            """)
      }
      return Checksum()
    }
  }

  private struct FoundArticle {
    let number: Int
    let title: String
    let body: String
    let score: Double

    init(_ row: Row) {
      number = row[0]
      title = row[1]
      body = row[2]
      score = row[3]
    }
  }
}
