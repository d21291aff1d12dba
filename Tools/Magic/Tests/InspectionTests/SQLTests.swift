import Foundation
import MagicInspection
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct SQLTests {
  @Test func aSelectReturnsItsRows() throws {
    try Fixture.columns.reading { reader, _ in
      let result = try reader.query(
        "SELECT id, age FROM Person WHERE z_index < :limit OR z_index = ?2 ORDER BY z_index",
        values: ["limit": .init(.integer(3)), "2": .init(.integer(5))], limit: 2)
      #expect(result.columns == ["id", "age"])
      #expect(result.rows.count == 2)
      #expect(result.hasMore)
    }
  }

  @Test(arguments: [
    "DELETE FROM Person", "UPDATE Person SET age = 1", "DROP TABLE Person", "CREATE TABLE x (a)",
    "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "ATTACH ':memory:' AS x", "BEGIN",
    "VACUUM", "VACUUM INTO '/tmp/x'", "SAVEPOINT a", "DETACH main", "REINDEX", "ANALYZE",
    "INSERT INTO Person (id) VALUES (1) RETURNING id",
    "WITH a AS (SELECT 1) DELETE FROM Person RETURNING 1",
  ])
  func onlyReadingIsPermitted(_ sql: String) throws {
    try Fixture.columns.reading { reader, _ in
      let before = try reader.query("SELECT count(*), total(age) FROM Person").rows
      #expect(inspectionError { _ = try reader.query(sql) } == .notReadOnly)
      #expect(try reader.query("SELECT count(*), total(age) FROM Person").rows == before)
    }
  }

  @Test(arguments: [
    "", "SELECT", "SELECT x FROM Person", "SELECT 1; SELECT 2", "SELECT ?",
    "SELECT load_extension('x')",
    "SELECT 1 \u{0}",
  ])
  func invalidSQLIsAnError(_ sql: String) throws {
    try Fixture.columns.reading { reader, _ in
      #expect(inspectionError { _ = try reader.query(sql) } == .invalidInput)
    }
  }

  @Test func aValueWithoutAParameterIsAnError() throws {
    try Fixture.columns.reading { reader, _ in
      let kind = inspectionError { _ = try reader.query("SELECT 1", values: ["a": .init(.null)]) }
      #expect(kind == .invalidInput)
    }
  }

  /// A step of SQLite takes milliseconds here, so a check after each 20,000 would be seconds too late.
  @Test func slowFunctionsEndSoonAfterTheTime() throws {
    try Fixture.columns.reading { reader, _ in
      let slow = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT sum(length(replace(hex(zeroblob(200000 + i)), '0', 'abc'))) FROM n
        """
      let duration = ContinuousClock().measure {
        let kind = inspectionError {
          _ = try reader.limited(to: .milliseconds(100)) { try reader.query(slow) }
        }
        #expect(kind == .limit)
      }
      #expect(duration < .seconds(2))
    }
  }

  @Test func timeRowsAndBytesAreLimited() throws {
    try Fixture.columns.reading { reader, _ in
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
      let clock = ContinuousClock()
      let duration = clock.measure {
        let kind = inspectionError {
          _ = try reader.limited(to: .milliseconds(100)) {
            try reader.query(endless + " WHERE i < 0")
          }
        }
        #expect(kind == .limit)
      }
      #expect(duration < .seconds(10))
      let result = try reader.query(endless, limit: 10)
      #expect(result.rows.count == 10)
      #expect(result.hasMore)
      let large = "SELECT zeroblob(1000000000)"
      #expect(inspectionError { _ = try reader.query(large) } == .limit)
      let many =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT zeroblob(1000000) FROM n"
      #expect(inspectionError { _ = try reader.query(many, bytes: 5_000_000) } == .limit)
      #expect(try reader.query("SELECT 1").rows.count == 1)
    }
  }

  @Test func aPlanNamesFullScans() throws {
    try Fixture.columns.reading { reader, _ in
      let scan = try reader.plan(of: "SELECT * FROM Person WHERE age = ?")
      #expect(scan.map(\.isFullScan).contains(true))
      let search = try reader.plan(of: "SELECT * FROM Person WHERE id = 'a'")
      #expect(!search.map(\.isFullScan).contains(true))
      #expect(inspectionError { _ = try reader.plan(of: "DELETE FROM Person") } == .notReadOnly)
    }
  }

  @Test func aHostileViewCannotCallUnsafeFunctions() throws {
    let sql = library("a TEXT") + "CREATE VIEW evil AS SELECT load_extension('/tmp/x') AS a;"
    try reading(sql) { reader, database in
      #expect(database.otherTables == ["evil"])
      #expect(inspectionError { _ = try reader.query("SELECT a FROM evil") } != nil)
    }
  }

  @Test func theFileIsUnchanged() throws {
    try Fixture.columns.withCopy { path in
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let reader = try InspectionReader(path: path)
      _ = try reader.sizes()
      _ = try? reader.query("DELETE FROM Person")
      reader.close()
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func aPoolReadsConcurrentlyAndSeesCommits() async throws {
    try await withDirectory { try await poolReads(in: $0) }
  }

  private func poolReads(in directory: URL) async throws {
    let path = directory.appendingPathComponent("file.sqlite3").path
    let connection = try SQLiteConnection(path: path)
    try connection.execute(library("name TEXT"))
    let pool = try InspectionPool(path: path, readers: 2)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await pool.read { reader in
            try reader.count(of: reader.database().types[0]).number
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 0, count: 8))
    let reader = try InspectionReader(path: path)
    let counter = try reader.commitCounter()
    #expect(try reader.commitCounter() == counter)
    try connection.execute("INSERT INTO Item VALUES (1, 'a')")
    #expect(try await pool.read { try $0.query("SELECT * FROM Item").rows.count } == 1)
    #expect(try reader.commitCounter() != counter)
    await #expect(throws: InspectionError.self) {
      try await pool.read { _ = try $0.query("DELETE FROM Item") }
    }
    await pool.close()
    await #expect(throws: (any Error).self) { try await pool.read { _ in } }
    connection.close()
  }
}
