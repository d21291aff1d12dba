import CMagicSQLite
import Workloads

/// Rows with a full-text index, which has no copy of the texts.
extension CTwin {
  static let articleTables = """
    CREATE TABLE article (z_index INTEGER PRIMARY KEY, id INTEGER NOT NULL, title TEXT NOT NULL,
      body TEXT NOT NULL);
    CREATE UNIQUE INDEX article_id ON article (id);
    \(indexTable(keepsAccents: false))
    """

  private static func indexTable(keepsAccents: Bool) -> String {
    """
    CREATE VIRTUAL TABLE article_index USING fts5(c0, c1, content='',
      tokenize='unicode61 remove_diacritics \(keepsAccents ? 0 : 2)')
    """
  }

  func insertArticles(_ articles: [PlainArticle]) throws {
    try execute("BEGIN IMMEDIATE")
    try withInsertion { insert in
      for article in articles { try insert(article) }
    }
    try execute("COMMIT")
  }

  func saveArticles(_ articles: [PlainArticle], _ run: Run) throws {
    let begin = try prepare("BEGIN IMMEDIATE")
    let commit = try prepare("COMMIT")
    defer { for each in [begin, commit] { sqlite3_finalize(each) } }
    try withInsertion { insert in
      for article in articles {
        let start = run.begin()
        try finish(begin)
        try insert(article)
        try finish(commit)
        run.end(start)
      }
    }
  }

  private func withInsertion(_ body: ((PlainArticle) throws -> Void) throws -> Void) throws {
    let row = try prepare("INSERT INTO article (id, title, body) VALUES (?, ?, ?)")
    let texts = try prepare("INSERT INTO article_index (rowid, c0, c1) VALUES (?, ?, ?)")
    defer { for each in [row, texts] { sqlite3_finalize(each) } }
    try body { article in
      var (title, body) = (article.title, article.body)
      try title.withUTF8 { title in
        try body.withUTF8 { body in
          sqlite3_bind_int64(row, 1, Int64(article.number))
          bind(title, row, 2)
          bind(body, row, 3)
          try finish(row)
          sqlite3_bind_int64(texts, 1, sqlite3_last_insert_rowid(database))
          bind(title, texts, 2)
          bind(body, texts, 3)
          try finish(texts)
        }
      }
    }
  }

  func searchArticles(_ searches: [String], _ run: Run) throws -> Checksum {
    let statement = try prepare(
      """
      SELECT article.id, article.title, article.body, found.score
      FROM (SELECT rowid AS id, -bm25(article_index, 10.0, 1.0) AS score FROM article_index
        WHERE article_index MATCH ? ORDER BY score DESC, rowid LIMIT 20) AS found
      JOIN article ON article.z_index = found.id ORDER BY found.score DESC, found.id
      """)
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    for search in searches {
      let start = run.begin()
      var text = search.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
      try text.withUTF8 { text in
        bind(text, statement, 1)
        var place = 0
        while try step(statement) {
          place += 1
          checksum.add(
            place: place, number: Int(sqlite3_column_int64(statement, 0)),
            title: self.text(statement, 1), body: self.text(statement, 2),
            score: sqlite3_column_double(statement, 3))
        }
        sqlite3_reset(statement)
      }
      run.end(start)
    }
    return checksum
  }

  func rebuildSearchIndex() throws {
    try execute(
      """
      BEGIN IMMEDIATE;
      DROP TABLE article_index;
      \(Self.indexTable(keepsAccents: true));
      INSERT INTO article_index (rowid, c0, c1) SELECT z_index, title, body FROM article;
      COMMIT
      """)
  }
}
