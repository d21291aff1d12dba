import Foundation
import MagicBrowser
import MagicSQLite
import Testing
import ToolTestSupport

/// The limits are generous: Tools/Magic/README.md has measured times.
@Suite struct SpeedTests {
  @Test func pagesOfManyRowsNeedNoScan() async throws {
    try await withDirectory { directory async throws in
      let path = directory.appendingPathComponent("large.sqlite3").path
      try Self.create(path, rows: 200_000)
      try await serving(path) { served async throws in
        for address in [
          "/", "/type/Item", "/type/Item?sort=number&order=down", "/type/Item/100000",
          "/type/Item?facets=1", "/type/Item?after=100000",
        ] {
          var times: [Duration] = []
          // The time of an answer that reads nothing is that of a busy machine.
          var waits: [Duration] = []
          for _ in 0..<4 {
            let start = ContinuousClock.now
            #expect(try await served.get(address).status == 200, "\(address)")
            let middle = ContinuousClock.now
            #expect(try await served.get("/style.css").status == 200)
            times.append(middle - start)
            waits.append(ContinuousClock.now - middle)
          }
          let limit = Duration.milliseconds(1_500) + (waits.max() ?? .zero) * 4
          #expect(try #require(times.min()) < limit, "\(address)")
        }
      }
    }
  }

  /// Creates a file with rows that all refer to the first one.
  static func create(_ path: String, rows: Int) throws {
    let connection = try SQLiteConnection(path: path)
    try connection.execute(
      library(
        "name TEXT, number INTEGER, kind TEXT, parent INTEGER",
        properties: [("name", "text"), ("number", "integer"), ("kind", "text"), ("parent", "one")]))
    try connection.execute(
      """
      INSERT INTO magic_relationships VALUES ('Item', 'parent', 'one', 'Item', 'nullify', NULL);
      INSERT INTO Item WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
        SELECT i, 'Item ' || i, i * 7919 % 100003, 'kind ' || (i % 7), 1 FROM n;
      CREATE INDEX magic_number ON Item (number);
      CREATE INDEX magic_parent ON Item (parent);
      """)
    connection.close()
  }
}
