import Foundation
import MagicSQLite
import MagicTestSupport

/// A directory of a test's own, with the path of a database in it.
final class Scratch: Sendable {
  private let temporary: TemporaryDirectory

  init() throws { temporary = try TemporaryDirectory() }

  var directory: URL { temporary.url }

  /// A database's path; no file lies there yet.
  var path: String { path("test.sqlite3") }

  func path(_ name: String) -> String { temporary.file(name).path }

  /// The names in the directory.
  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: directory.path)) }
  }

  func connection(
    _ configuration: SQLiteConfiguration = .init()
  ) throws -> SQLiteConnection {
    try SQLiteConnection(path: path, configuration: configuration)
  }

  /// Makes a closed database with a table of numbers, checkpointed into the one file.
  func makeDatabase(rows: Int = 3) throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE item (number INTEGER)")
    try connection.transaction {
      let insert = try connection.cachedStatement("INSERT INTO item VALUES (?)")
      for number in 0..<rows {
        try insert.bind(Int64(number), at: 1)
        try insert.run()
      }
    }
    connection.close()
  }

  func bytes(_ name: String = "test.sqlite3") throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(name))
  }
}

/// A connection to a database in memory.
func memory(_ configuration: SQLiteConfiguration = .init()) throws -> SQLiteConnection {
  try SQLiteConnection(inMemory: configuration)
}

/// Whatever threads and callbacks append, in order.
final class Log<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [Element] = []

  func append(_ element: Element) { lock.withLock { stored.append(element) } }
  var elements: [Element] { lock.withLock { stored } }
}

/// The SQLite error that the body throws; nil where it throws none or another.
func sqliteError(_ body: () throws -> Void) -> SQLiteError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SQLiteError
  }
}

/// Waits until the condition holds, for at most ten seconds.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
  for _ in 0..<10_000 {
    if condition() { return true }
    try? await Task.sleep(nanoseconds: 1_000_000)
  }
  return false
}

/// Extended result codes, which the C header builds in a way that Swift does not import.
enum ExtendedCode {
  static let abortRollback = Int32(516)
  static let busySnapshot = Int32(517)
  static let check = Int32(275)
  static let foreignKey = Int32(787)
  static let notNull = Int32(1299)
  static let primaryKey = Int32(1555)
  static let unique = Int32(2067)
}
