public import MagicStore
import SQLiteStore

/// The engine that sequences of calls run on. Runs on several engines are compared with the same
/// model after each call, and so with each other.
public struct CallEngine: Sendable {
  let open: @Sendable (_ path: String) throws -> MagicObjectStore
  /// Whether a database is a file, which can be copied, and in which SQL that deletes a row also removes
  /// the row from collections.
  let hasFiles: Bool
  /// Whether texts can be searched.
  let hasSearch: Bool
  /// Whether texts are compared by collations.
  let hasCollations: Bool

  /// - Parameters:
  ///   - hasFiles: Whether a database is a file.
  ///   - hasSearch: Whether texts can be searched.
  ///   - hasCollations: Whether texts are compared by collations.
  ///   - open: Opens the database at a path, which exists if it was opened before.
  public init(
    hasFiles: Bool, hasSearch: Bool, hasCollations: Bool,
    open: @escaping @Sendable (_ path: String) throws -> MagicObjectStore
  ) {
    (self.hasFiles, self.hasSearch, self.open) = (hasFiles, hasSearch, open)
    self.hasCollations = hasCollations
  }

  /// The engine of SQLite, with one file for each path.
  public static let sqlite = CallEngine(hasFiles: true, hasSearch: true, hasCollations: true) {
    path in
    var options = MagicOptions(durability: .normal, readers: 1)
    // Free pages are returned after each commit.
    options.minimumFreeSpace = 0
    return try MagicObjectStore.open(.file(path), options: options)
  }
}
