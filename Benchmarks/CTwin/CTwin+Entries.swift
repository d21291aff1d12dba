import CMagicSQLite
import Workloads

/// Rows whose primary value is a whole number.
extension CTwin {
  static let entryTable = """
    CREATE TABLE entry (z_index INTEGER PRIMARY KEY, id INTEGER NOT NULL, title TEXT NOT NULL,
      amount NOT NULL);
    CREATE UNIQUE INDEX entry_id ON entry (id)
    """

  func insertEntries(_ entries: [PlainEntry]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO entry (id, title, amount) VALUES (?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    for entry in entries {
      var title = entry.title
      try title.withUTF8 { title in
        sqlite3_bind_int64(statement, 1, Int64(entry.id))
        bind(title, statement, 2)
        sqlite3_bind_double(statement, 3, entry.amount)
        try finish(statement)
      }
    }
    try execute("COMMIT")
  }
}
