public import MagicStore
import SQLiteStore

/// The engine that sequences of calls run on. Runs on several engines are compared with the same
/// model after each call, and so with each other.
public struct SequenceEngine: Sendable {
  let open: @Sendable (_ path: String) throws -> MagicObjectStore
  /// Whether a database is a file, which can be copied, and in which SQL that deletes a row also removes
  /// the row from collections. Then the engine is SQLite, otherwise PostgreSQL.
  let hasFiles: Bool
  /// Runs SQL in a database as another program does.
  let run: @Sendable (_ path: String, _ sql: String, _ firesTriggers: Bool) throws -> Void

  /// The engine of PostgreSQL.
  ///
  /// - Parameters:
  ///   - open: Opens the database at a path, which exists if it was opened before.
  ///   - run: Runs SQL in the database at a path as another program does.
  public static func postgreSQL(
    open: @escaping @Sendable (_ path: String) throws -> MagicObjectStore,
    run: @escaping @Sendable (_ path: String, _ sql: String, _ firesTriggers: Bool) throws -> Void
  ) -> SequenceEngine {
    SequenceEngine(open: open, hasFiles: false, run: run)
  }

  /// The engine of SQLite, with one file for each path.
  public static let sqlite = SequenceEngine(
    open: { path in
      var options = MagicOptions(durability: .normal, readers: 1)
      // Free pages are returned after each commit.
      options.minimumFreeSpace = 0
      // Indexes of empty tables are created after the rows of each call with several objects.
      options.postponingMinimum = 2
      return try MagicObjectStore.open(.file(path), options: options)
    }, hasFiles: true
  ) { path, sql, firesTriggers in
    let raw = try RawDatabase(path, firesTriggers: firesTriggers)
    defer { raw.close() }
    try raw.execute(sql)
  }
}
