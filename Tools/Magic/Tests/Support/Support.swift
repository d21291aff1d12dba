public import Foundation
public import MagicInspection
import MagicSQLite

/// A database that an earlier version of the library wrote, of each file format.
public enum Fixture: String, CaseIterable, Sendable {
  case values = "values-1"
  case relationships = "relationships-1"
  case queries = "queries-1"
  case assets = "assets-1"
  case migrations = "migrations-2"
  case columns = "columns-3"

  /// The version of the file format.
  public var format: Int { self == .columns ? 3 : self == .migrations ? 2 : 1 }

  private static let folder = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../Tests/FixtureTests/Databases").standardizedFileURL

  /// Calls the body with the path of a copy.
  public func withCopy<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withDirectory { try body(try copy(to: $0)) }
  }

  /// Copies the file, and its assets, to a directory.
  ///
  /// - Returns: the path of the copy.
  public func copy(to directory: URL) throws -> String {
    let target = directory.appendingPathComponent(rawValue + ".sqlite3")
    for suffix in ["", "-assets"] {
      let source = Self.folder.appendingPathComponent(rawValue + ".sqlite3" + suffix)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: target.path + suffix))
    }
    return target.path
  }

  /// Calls the body with a reader of a copy, and what it contains.
  public func reading<Result>(
    _ body: (InspectionReader, InspectedDatabase) throws -> Result
  ) throws -> Result {
    try withCopy { path in
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      return try body(reader, try reader.database())
    }
  }
}

/// Calls the body with a directory, which is deleted after it.
public func withDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let directory = try newDirectory()
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory)
}

/// Calls the body with a reader of a file that the SQL creates.
public func reading<Result>(
  _ sql: String, _ body: (InspectionReader, InspectedDatabase) throws -> Result
) throws -> Result {
  try withDirectory { directory in
    let path = directory.appendingPathComponent("file.sqlite3").path
    let connection = try SQLiteConnection(path: path)
    try connection.execute(sql)
    connection.close()
    let reader = try InspectionReader(path: path)
    defer { reader.close() }
    return try body(reader, try reader.database())
  }
}

/// The library's tables, and a type `Item` with the given columns.
public func library(_ columns: String, properties: [(String, String)] = []) -> String {
  var sql = """
    CREATE TABLE magic_format (version INTEGER NOT NULL, database_id TEXT NOT NULL,
      store_number INTEGER NOT NULL DEFAULT 0);
    INSERT INTO magic_format VALUES (3, 'id', 0);
    CREATE TABLE magic_catalogue (table_name TEXT NOT NULL PRIMARY KEY, type_name TEXT NOT NULL,
      fingerprint TEXT NOT NULL, high_water INTEGER NOT NULL DEFAULT 0,
      primary_high_water INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0,
      columns_fingerprint TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
    CREATE TABLE magic_columns (table_name TEXT NOT NULL, property TEXT NOT NULL, column_name TEXT,
      swift_type TEXT NOT NULL, form TEXT NOT NULL, details TEXT,
      PRIMARY KEY (table_name, property)) WITHOUT ROWID;
    CREATE TABLE magic_relationships (owner_table TEXT NOT NULL, property TEXT NOT NULL,
      kind TEXT NOT NULL, target_table TEXT NOT NULL, on_delete TEXT NOT NULL, link_table TEXT,
      PRIMARY KEY (owner_table, property)) WITHOUT ROWID;
    INSERT INTO magic_catalogue (table_name, type_name, fingerprint) VALUES ('Item', 'Item', '');
    CREATE TABLE Item (z_index INTEGER PRIMARY KEY, \(columns));
    """
  for (property, form) in properties {
    sql +=
      "INSERT INTO magic_columns VALUES ('Item', '\(property)', '\(property)', '', '\(form)', NULL);"
  }
  return sql
}

/// The kind of the error that the body throws.
public func inspectionError(_ body: () throws -> Void) -> InspectionError.Kind? {
  do {
    try body()
    return nil
  } catch let error as InspectionError {
    return error.kind
  } catch {
    return .unreadable
  }
}

/// Calls the body with a directory, which is deleted after it.
public func withDirectory<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let directory = try newDirectory()
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory)
}

private func newDirectory() throws -> URL {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("magic-tool-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  return directory
}
