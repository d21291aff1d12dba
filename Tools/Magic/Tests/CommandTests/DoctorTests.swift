import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct DoctorTests {
  /// The advice on a file with a type `Item` that the SQL changes.
  private func subjects(_ sql: String) async throws -> [String] {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(library("a TEXT, b TEXT") + sql)
      connection.close()
      for name in ["", "-wal", "-shm"] { chmod(path + name, 0o600) }
      let run = await magic("doctor", path, "--json")
      let object = try #require(run.json() as? [String: Any])
      let advice = try #require(object["advice"] as? [[String: Any]])
      return advice.compactMap { $0["subject"] as? String }
    }
  }

  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO Item SELECT i, i, i FROM n;
    """

  @Test func aSoundFileNeedsNothing() async throws {
    #expect(try await subjects("") == [])
    #expect(try await subjects("CREATE INDEX x ON Item (a); CREATE INDEX y ON Item (b, a);") == [])
  }

  @Test func redundantIndexesAreFound() async throws {
    #expect(
      try await subjects("CREATE INDEX x ON Item (a); CREATE INDEX y ON Item (a, b);")
        == ["redundant index"])
    #expect(
      try await subjects("CREATE INDEX x ON Item (a); CREATE UNIQUE INDEX y ON Item (a);")
        == ["redundant index"])
    #expect(
      try await subjects("CREATE UNIQUE INDEX x ON Item (a); CREATE INDEX y ON Item (a, b);") == [])
    #expect(
      try await subjects("CREATE INDEX x ON Item (a) WHERE b = 1; CREATE INDEX y ON Item (a, b);")
        == [])
  }

  @Test func ofEqualIndexesOneIsFound() async throws {
    let twice = "CREATE INDEX x ON Item (a, b); CREATE INDEX y ON Item (a, b);"
    #expect(try await subjects(twice) == ["redundant index"])
    let unique = "CREATE UNIQUE INDEX x ON Item (a); CREATE UNIQUE INDEX y ON Item (a);"
    #expect(try await subjects(unique) == ["redundant index"])
  }

  @Test func indexesThatCompareOtherwiseAreKept() async throws {
    for other in [
      "CREATE INDEX y ON Item (a COLLATE NOCASE, b);", "CREATE INDEX y ON Item (b, a);",
    ] {
      #expect(try await subjects("CREATE INDEX x ON Item (a);" + other) == [], "\(other)")
    }
    let expressions = "CREATE INDEX x ON Item (a + 1); CREATE INDEX y ON Item (a + 2, b);"
    #expect(try await subjects(expressions) == [])
  }

  @Test func indexesThatSelectManyRowsAreFound() async throws {
    let few = Self.rows + "UPDATE Item SET a = z_index % 3; CREATE INDEX x ON Item (a);"
    #expect(try await subjects(few + "ANALYZE;") == ["unselective index"])
    // It is known only from statistics.
    #expect(try await subjects(few) == [])
    let rare = "CREATE INDEX y ON Item (b) WHERE a = 1;"
    #expect(try await subjects(Self.rows + "CREATE INDEX x ON Item (a);" + rare + "ANALYZE;") == [])
  }

  @Test func tablesWithoutStatisticsAreFound() async throws {
    let indexes = "CREATE INDEX x ON Item (a); CREATE INDEX y ON Item (b);"
    #expect(try await subjects(Self.rows + indexes) == ["no statistics"])
    #expect(try await subjects(Self.rows + indexes + "ANALYZE;") == [])
    #expect(try await subjects(Self.rows) == [])
  }

  @Test func tablesWithoutStatisticsAreNamedTogether() async throws {
    let other = """
      CREATE TABLE Other (z_index INTEGER PRIMARY KEY, a TEXT, b TEXT);
      INSERT INTO magic_catalogue (table_name, type_name, fingerprint) VALUES ('Other', 'Other', '');
      INSERT INTO Other SELECT z_index, a, b FROM Item;
      CREATE INDEX v ON Other (a); CREATE INDEX w ON Other (b);
      """
    let indexes = "CREATE INDEX x ON Item (a); CREATE INDEX y ON Item (b);"
    #expect(try await subjects(Self.rows + indexes + other) == ["no statistics"])
  }

  @Test func outdatedStatisticsAreFound() async throws {
    let indexes = "CREATE INDEX x ON Item (a); CREATE INDEX y ON Item (b);"
    let more =
      "INSERT INTO Item SELECT z_index + 10000 * k.i, a, b FROM Item, "
      + "(SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4) AS k;"
    #expect(try await subjects(Self.rows + indexes + "ANALYZE;" + more) == ["old statistics"])
    #expect(
      try await subjects(Self.rows + indexes + "ANALYZE; DELETE FROM Item WHERE z_index > 100;")
        .contains("old statistics"))
    let added = Self.rows + indexes + "ANALYZE; CREATE INDEX z ON Item (b, a);"
    #expect(try await subjects(added).contains("old statistics"))
  }

  @Test func toOnesWithoutAnIndexAreFound() async throws {
    let sql = """
      ALTER TABLE Item ADD COLUMN other INTEGER;
      INSERT INTO magic_relationships VALUES ('Item', 'other', 'one', 'Item', 'nullify', NULL);
      """
    #expect(try await subjects(sql).contains("missing index"))
    #expect(
      try await subjects(sql + "CREATE INDEX \"Item(other)\" ON Item (other);")
        .contains("missing index") == false)
    // The index of a relationship belongs to the library, also if another one begins with it.
    let both = """
      CREATE INDEX "Item(other)" ON Item (other); CREATE INDEX x ON Item (other, a);
      """
    #expect(try await subjects(sql + both).contains("redundant index") == false)
  }

  @Test func anEarlierFormatIsNamed() async throws {
    try await withDirectory { directory in
      let run = await magic("doctor", try Fixture.migrations.copy(to: directory))
      #expect(run.status == 0)
      #expect(run.output.contains("earlier format"))
    }
  }

  @Test func filesOfOtherUsersAreFound() async throws {
    try await withDirectory { directory in
      let path = try Fixture.values.copy(to: directory)
      chmod(path, 0o644)
      #expect(await magic("doctor", path).output.contains("chmod -R go= \(path)"))
      chmod(path, 0o600)
      chmod(path + "-wal", 0o600)
      #expect(!(await magic("doctor", path).output.contains("chmod")))
    }
  }

  /// Names that contain what terminals obey and what shells replace.
  @Test(arguments: [
    "plain.sqlite3", "it's a \"name\".sqlite3", "b\\n$HOME`id`%s!!.sqlite3",
    "\u{1B}[2J%d'\\1$(id)!\u{202E}ü.sqlite3", "line\nbreak", "ends\n\n",
  ])
  func shellsReadTheNamesInAdvice(_ name: String) async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent(name).path
      try FileManager.default.moveItem(atPath: try Fixture.values.copy(to: directory), toPath: path)
      chmod(path, 0o644)
      let json = try #require(try await magic("doctor", path, "--json").json() as? [String: Any])
      let advice = try #require(json["advice"] as? [[String: Any]])
      let commands = advice.compactMap { $0["command"] as? String }
      let command = try #require(commands.first { $0.hasPrefix("chmod -R go= ") })
      let words = command.dropFirst("chmod -R go= ".count)
      #expect(!words.contains("\u{1B}") && !words.contains("\u{202E}"))
      for shell in ["sh", "bash"] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [shell, "-c", "show() { printf %s \"$1\"; }; show " + words]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let printed = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        #expect(String(decoding: printed, as: UTF8.self) == resolved, "\(shell): \(words)")
      }
    }
  }
}
