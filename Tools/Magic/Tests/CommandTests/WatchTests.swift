import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct WatchTests {
  /// Runs `watch` until it has reported once, while the SQL is executed.
  private func watch(
    _ path: String, _ arguments: [String] = [], while sql: String
  ) async throws -> Run {
    try await watching([path] + arguments) {
      let connection = try SQLiteConnection(path: path)
      try connection.execute(sql)
      connection.close()
    }
  }

  @Test func changesOfAnotherConnectionAreReported() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let run = try await watch(
        path,
        while: """
          BEGIN; UPDATE Street SET name = 'new street' WHERE z_index = 3;
          DELETE FROM Stamp WHERE z_index = (SELECT max(z_index) FROM Stamp);
          INSERT INTO City VALUES (99, 99, 'Ulm'); COMMIT
          """)
      #expect(run.status == 0)
      #expect(run.lines.contains("  changed  Street #3  new street  name: new street"))
      #expect(run.lines.contains { $0.hasPrefix("  deleted  Stamp #") })
      #expect(run.lines.contains("  inserted  City #99  Ulm"))
    }
  }

  @Test func oneTypeIsWatchedAsJSON() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let run = try await watch(
        path, ["City", "--json"],
        while: """
          BEGIN; UPDATE Street SET name = 'new street' WHERE z_index = 3;
          UPDATE City SET name = 'Ulm' WHERE z_index = 3; COMMIT
          """)
      #expect(run.lines.count == 1)
      let object = try #require(run.json() as? [String: Any])
      #expect(object["change"] as? String == "changed")
      #expect(object["row"] as? Int == 3)
      #expect(object["values"] as? [String: String] == ["name": "Ulm"])
    }
  }

  @Test func anUnknownTypeIsAnError() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      #expect(await magic("watch", path, "Nothing").status == 4)
      #expect(await magic("watch", path + "-none").status == 2)
    }
  }
}
