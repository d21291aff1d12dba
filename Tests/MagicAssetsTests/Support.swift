import Foundation
import MagicAssets
import MagicFiles
import MagicSQLite
import SQLiteStore
import Testing

/// A directory of a test's own, removed with the test, for a database with assets.
final class Scratch: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("magic-tests-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "test.sqlite3") -> String { path + "/" + name }

  var assets: String { file() + "-assets" }

  /// The files of assets, and no marks, by their names in the folder.
  var assetFiles: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: assets)) ?? []).filter { name in
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: assets + "/" + name, isDirectory: &isDirectory)
      return !isDirectory.boolValue && name.contains("/")
    }.sorted()
  }

  func open(_ options: MagicOptions = .init()) throws -> MagicObjectStore {
    try MagicObjectStore.open(.file(file()), options: options)
  }

  /// Opens the database for the time of the body.
  @discardableResult
  func using<Result>(
    _ options: MagicOptions = .init(), _ body: (MagicObjectStore) throws -> Result
  ) throws -> Result {
    let store = try open(options)
    defer { store.close() }
    return try body(store)
  }

  /// Another connection to the database, as another process would have it.
  func raw() throws -> SQLiteConnection {
    try SQLiteConnection(
      path: file(), configuration: SQLiteConfiguration(access: .readWriteExisting))
  }

  /// Runs SQL on such a connection.
  func change(_ sql: String) throws {
    let raw = try raw()
    try raw.execute(sql)
    raw.close()
  }
}

/// Without assets.
struct Plain: MagicObject {
  @MagicValue var text: String = "a"

  init() {}
}

/// Expects an error with a code.
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: MagicError.self, sourceLocation: location) { try body() }
  #expect(error?.code == code, sourceLocation: location)
}
