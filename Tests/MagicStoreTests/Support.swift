import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import SQLiteStore
import Testing

/// A directory of a test's own, removed with the test.
final class Scratch: Sendable {
  let path: String

  init() {
    path =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("magic-tests-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the directory.
  func file(_ name: String = "test.sqlite3") -> String { path + "/" + name }

  /// What lies in the directory, at every depth: the bytes by the name, nil for a directory.
  var contents: [String: Data?] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: file($0))) })
  }

  /// ``contents`` without the index of a log, and without a log that holds nothing.
  var withoutEmptyLog: [String: Data?] {
    contents.filter { name, bytes in
      !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && bytes?.isEmpty == true)
    }
  }

  func open(_ options: MagicOptions = .init()) throws -> MagicObjectStore {
    try MagicObjectStore.onTestedEngine(.file(file()), options: options)
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

  func write(_ bytes: Data, _ name: String = "test.sqlite3") throws {
    try bytes.write(to: URL(fileURLWithPath: file(name)))
  }

  /// Expects that the file cannot be opened, in either way, and that nothing in the directory
  /// changes. A connection that may not write leaves its empty log behind.
  func expectRefusal(
    _ code: MagicError.Code, at location: SourceLocation = #_sourceLocation
  ) {
    let before = contents
    for readOnly in [false, true] {
      let error = #expect(throws: MagicError.self, sourceLocation: location) {
        try open(MagicOptions(readOnly: readOnly)).close()
      }
      #expect(error?.code == code, "read-only: \(readOnly)", sourceLocation: location)
      #expect(withoutEmptyLog == before, "read-only: \(readOnly)", sourceLocation: location)
    }
  }
}

extension Scratch {
  /// Whether a table of the file has that many rows. True on an engine without files.
  func hasRows(_ count: Int64, in table: String) throws -> Bool {
    try TestedEngine.current.hasRows(count, in: table, path: file())
  }

  /// Whether the file is whole. True on an engine without files.
  func isWhole() throws -> Bool { try TestedEngine.current.isWhole(path: file()) }
}

extension SQLiteConnection {
  /// The texts of the first column.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }

  /// The SQL of everything that belongs to a table, in the order it was made.
  func definitions(of table: String) throws -> [String] {
    let statement = try prepare(
      "SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid")
    try statement.bind(table, at: 1)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.column(0).text) }
    return texts
  }
}

/// Collects what is said to it.
final class Recorder: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) { lock.withLock { lines.append(line) } }
  func clear() { lock.withLock { lines.removeAll() } }
  var all: [String] { lock.withLock { lines } }
}

struct Note: MagicObject {
  @MagicValue var text: String
  @OptionMagicValue var stars: Int?

  init() {}
  init(_ text: String) { self.text = text }
}

struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String

  init() {}
  init(_ title: String) { self.title = title }
  init(number: Int, _ title: String) {
    self.number = number
    self.title = title
  }
}

/// The code of the error that the body throws; nil where it throws none.
func code(_ body: () throws -> Void) -> MagicError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? MagicError)?.code
  }
}
