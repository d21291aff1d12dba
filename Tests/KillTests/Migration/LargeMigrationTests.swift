import Foundation
import MagicData
import MagicSQLite
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import Testing

/// A table of many rows is rebuilt in bounded memory, and the rebuild reports its progress.
@Suite struct LargeMigrationTests {
  enum Old {
    struct Sample: MagicObject {
      static var tableName: String { "Sample" }
      @MagicValue var name: String
      @MagicValue var level: Int

      init() {}
    }
  }

  enum New {
    struct Sample: MagicObject {
      static var tableName: String { "Sample" }
      @MagicValue(.indexed) var name: String
      @MagicValue var level: Double
    }
  }

  enum Transformed {
    struct Sample: MagicObject {
      static var tableName: String { "Sample" }
      @MagicValue var name: String
      @MagicValue var level: Int

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "level") { (level: Int) in -level }] }
        }
      }
    }
  }

  private func makeRows(_ count: Int, at path: String) throws {
    let store = try MagicObjectStore.open(.file(path), options: MagicOptions(durability: .normal))
    let sample = Old.Sample()
    (sample.name, sample.level) = ("first", 0)
    try store.update(sample)
    store.close()
    let connection = try SQLiteConnection(
      path: path, configuration: SQLiteConfiguration(durability: .normal))
    defer { connection.close() }
    try connection.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
      INSERT INTO Sample SELECT i, 'a sample with a name of some length, number ' || i, i FROM n
      """)
  }

  /// - Returns: The reported progress, and the maximum growth of the process in bytes.
  private func migrate(
    _ type: any MagicObject.Type, _ path: String
  ) throws -> ([MagicMigrationProgress], growth: Int) {
    let store = try MagicObjectStore.open(.file(path), options: MagicOptions(durability: .normal))
    defer { store.close() }
    var progress: [MagicMigrationProgress] = []
    // SQLite bounds its page cache; this limit is smaller than the table.
    try store.shared.readOnWriter { try $0.connection.execute("PRAGMA cache_size = -2048") }
    let start = residentMemory()
    var growth = 0
    try store.migrate(type) {
      progress.append($0)
      growth = max(growth, residentMemory() - start)
    }
    return (progress, max(growth, residentMemory() - start))
  }

  private func expectSteady(
    _ progress: [MagicMigrationProgress], rows: Int, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(progress.allSatisfy { $0.type == "Sample" }, sourceLocation: location)
    #expect(progress.last?.fraction == 1, sourceLocation: location)
    #expect(progress.last?.rowsDone == rows, sourceLocation: location)
  }

  private func expectBounded(_ growth: Int, at location: SourceLocation = #_sourceLocation) {
    // A sanitizer uses shadow memory, and delays the reuse of freed memory.
    guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil else { return }
    #expect(growth < 16 << 20, sourceLocation: location)
  }

  @Test(arguments: [50_000, 200_000])
  func theMemoryOfARebuildDoesNotGrowWithTheRows(_ rows: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("samples.sqlite3").path
    try makeRows(rows, at: path)
    let (progress, growth) = try migrate(New.Sample.self, path)
    expectSteady(progress, rows: rows)
    #expect(progress.count >= rows / 10_000)
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.rowsDone <= $1.rowsDone })
    print("A rebuild of \(rows) rows: \(growth >> 10) KiB")
    expectBounded(growth)
    let connection = try SQLiteConnection(path: path)
    let count = try connection.integer("SELECT count(*) FROM Sample WHERE level = z_index")
    #expect(count == Int64(rows) - 1)
    #expect(try connection.text("SELECT typeof(level) FROM Sample WHERE z_index = 5") == "real")
  }

  @Test func theMemoryOfATransformationDoesNotGrowWithTheRows() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("samples.sqlite3").path
    let rows = 60_000
    try makeRows(rows, at: path)
    let (progress, growth) = try migrate(Transformed.Sample.self, path)
    expectSteady(progress, rows: rows)
    print("A transformation of \(rows) rows: \(growth >> 10) KiB")
    expectBounded(growth)
    let connection = try SQLiteConnection(path: path)
    #expect(try connection.integer("SELECT count(*) FROM Sample WHERE level = -z_index") == 59_999)
  }
}

/// The resident memory of the process in bytes; 0 if the system does not report it.
private func residentMemory() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
    let pages = Int(text.split(separator: " ").dropFirst().first ?? "")
  else { return 0 }
  return pages * Int(getpagesize())
}
