import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// A directory of a test's own with a database in it, removed with the test.
final class Scratch: Sendable {
  private let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.url.resolvingSymlinksInPath().path
  }

  /// The path of a file in the directory.
  func file(_ name: String = "test.sqlite3") -> String { path + "/" + name }

  var url: URL { URL(fileURLWithPath: file()) }

  /// The folder of the database's assets.
  var assets: String { file() + "-assets" }

  /// What lies in the directory, at every depth: the bytes by the name, nil for a directory. A log
  /// that holds nothing is left out, and its index.
  var contents: [String: Data?] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    let all = names.map { ($0, FileManager.default.contents(atPath: file($0))) }
    return Dictionary(uniqueKeysWithValues: all).filter { name, bytes in
      !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && bytes?.isEmpty == true)
    }
  }

  /// The files of assets, also those that are being written, and no marks.
  var assetFiles: [String] {
    contents.filter { $0.value != nil && $0.key.hasPrefix("test.sqlite3-assets/") }.keys
      .filter { $0.split(separator: "/").count == 3 }.sorted()
  }

  /// Opens the database for the time of the body.
  @discardableResult
  func using<Result: Sendable>(
    _ options: MagicOptions = .init(), _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    let magic = try await MagicData(path: file(), options: options)
    do {
      let result = try await body(magic)
      await magic.close()
      return result
    } catch {
      await magic.close()
      throw error
    }
  }

  /// Another connection to the database, as another process would have it.
  func raw(_ name: String = "test.sqlite3", timeout: Double = 5) throws -> SQLiteConnection {
    try SQLiteConnection(
      path: file(name),
      configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: timeout))
  }

  func write(_ bytes: Data, _ name: String = "test.sqlite3") throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }

  /// Changes the bytes of a file.
  ///
  /// - Returns: what they were.
  @discardableResult
  func damage(
    _ name: String = "test.sqlite3", _ body: (inout Data) throws -> Void
  ) throws -> Data {
    let whole = try Data(contentsOf: URL(fileURLWithPath: file(name)))
    var bytes = whole
    try body(&bytes)
    try write(bytes, name)
    return whole
  }

  /// The bytes of a table's first page, as places in the file.
  func firstPage(of table: String) throws -> Range<Int> {
    let connection = try raw()
    defer { connection.close() }
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
    let size = Int(try #require(try connection.integer("PRAGMA page_size")))
    let start = (Int(try #require(page)) - 1) * size
    return start..<start + size
  }

  /// Expects that the file cannot be opened, in either way, and that nothing in the directory
  /// changes.
  func expectRefusal(
    _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation
  ) async {
    let before = contents
    for readOnly in [false, true] {
      await expect(code, at: location) {
        await (try MagicData(path: file(), options: MagicOptions(readOnly: readOnly))).close()
      }
      #expect(contents == before, "read-only: \(readOnly)", sourceLocation: location)
    }
  }
}

/// Expects an error with a code.
@discardableResult
func expect(
  _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> MagicError? {
  let error = await #expect(throws: MagicError.self, sourceLocation: location) {
    try await body()
  }
  #expect(error?.code == code, "\(error as Any)", sourceLocation: location)
  return error
}

/// Every call that writes a note, each by itself.
func writes(of magic: MagicData) -> [@Sendable () async throws -> Void] {
  [
    { try await magic.update(Note("new")) },
    { try await magic.update(contentsOf: [Note("new")]) },
    { try await magic.removeAll(of: Note.self) },
    { try await magic.transaction { _ = try $0.update(Note("new")) } },
    { try await magic.query(Note.self).update(set: \.$text, to: "new") },
    { try await magic.query(Note.self).delete() },
    { try await magic.sql("UPDATE Note SET stars = 1").run() },
  ]
}
