import EngineConformance
import Foundation
import MagicData
import MagicSQLite
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

  /// The names in the directory, at every depth, sorted.
  var names: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Another connection to a database, as another process would have it.
  func raw(_ name: String = "test.sqlite3", timeout: Double = 5) throws -> SQLiteConnection {
    try SQLiteConnection(
      path: file(name),
      configuration: SQLiteConfiguration(access: .readWriteExisting, busyTimeout: timeout))
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

/// Collects what is said to it.
final class Recorder: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func note(_ line: String) { lock.withLock { lines.append(line) } }
  func clear() { lock.withLock { lines.removeAll() } }
  var all: [String] { lock.withLock { lines } }
  var count: Int { lock.withLock { lines.count } }

  /// The statements that do more than begin and end a transaction.
  var work: [String] {
    all.filter { line in
      !["BEGIN", "COMMIT", "ROLLBACK", "--"].contains { line.hasPrefix($0) }
    }
  }

  func contains(_ text: String) -> Bool { all.contains { $0.contains(text) } }
}

/// Waits until a condition holds, for half a minute.
func eventually(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<3_000 {
    if condition() { return true }
    try await Task.sleep(nanoseconds: 10_000_000)
  }
  return condition()
}

/// A signal that is given once. Tasks poll it, synchronous code blocks on it.
final class Signal: @unchecked Sendable {
  private let lock = NSLock()
  private var wasGiven = false

  func give() { lock.withLock { wasGiven = true } }
  var isGiven: Bool { lock.withLock { wasGiven } }

  /// Blocks until it is given, a minute at most.
  func wait() {
    for _ in 0..<12_000 where !isGiven { Thread.sleep(forTimeInterval: 0.005) }
  }
}
