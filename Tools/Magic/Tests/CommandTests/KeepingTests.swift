import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// The commands that check, copy and replace databases.
@Suite struct KeepingTests {
  @Test(arguments: Fixture.allCases)
  func aFileOfEachFormatIsVerified(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      let run = await magic("verify", path)
      #expect(run.status == 0)
      #expect(run.output == "No faults.\n")
      let object = try #require(await magic("verify", path, "--json").json() as? [String: Any])
      #expect(object["isSound"] as? Bool == true)
    }
  }

  @Test func faultsEndWithOne() async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let file = try #require(
        FileManager.default.subpaths(atPath: path + "-assets")?.first { $0.contains("-") })
      try FileManager.default.removeItem(atPath: path + "-assets/" + file)
      for command in ["verify", "doctor"] {
        let run = await magic(command, path)
        #expect(run.status == 1)
        #expect(run.output.contains("missingFile"))
      }
      let object = try #require(await magic("verify", path, "--json").json() as? [String: Any])
      #expect((object["findings"] as? [Any])?.isEmpty == false)
    }
  }

  @Test(arguments: Fixture.allCases)
  func aBackupIsRestoredWithItsAssets(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      let before = await magic("inspect", path, "--json").output
      let files = assetFiles(of: path)
      // What happens after the backup is undone by the restore.
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        "DELETE FROM Ticket")
      connection.close()
      #expect(await magic("inspect", path, "--json").output != before)
      let run = await magic("restore", copy, path)
      #expect(run.status == 0)
      #expect(run.messages.isEmpty)
      #expect(await rows(path) == rows(copy))
      #expect(await magic("verify", path).status == 0)
      #expect(assetFiles(of: path) == files)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!names.contains { $0.contains(".restored-") || $0.contains(".replaced-") })
      #expect(await magic("verify", copy).status == 0)
    }
  }

  /// The files of assets, without their directories.
  private func assetFiles(of path: String) -> [String] {
    let paths = FileManager.default.subpaths(atPath: path + "-assets") ?? []
    return paths.filter { $0.contains("-") }.sorted()
  }

  private func rows(_ path: String) async -> String {
    await magic("query", path, "SELECT * FROM Ticket ORDER BY z_index", "--csv").output
  }

  @Test func aMissingDatabaseIsRestored() async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let new = directory.appendingPathComponent("new.sqlite3").path
      #expect(await magic("restore", path, new).status == 0)
      #expect(await magic("verify", new).status == 0)
      #expect(await rows(new) == rows(path))
    }
  }

  @Test(arguments: [["--keep"], []])
  func aDamagedDatabaseIsReplacedAndKept(_ options: [String]) async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      let damaged = Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 8_192)
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(await magic("verify", path).status == 2)
      let run = await magic(["restore", copy, path] + options)
      #expect(run.status == 0)
      #expect(run.output.contains(".replaced-"))
      #expect(await magic("verify", path).status == 0)
      let doctor = await magic("doctor", path)
      #expect(doctor.output.contains("leftover files"))
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(
        names.filter { $0.contains(".replaced-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
          .count == 2)
    }
  }

  @Test func anOpenDatabaseIsNotReplaced() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      let before = await rows(path)
      let open = try await MagicData(path: path)
      let refused = await magic("restore", copy, path)
      #expect(refused.status == 6)
      #expect(refused.messages.contains("has the database open"))
      await open.close()
      #expect(await rows(path) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!names.contains { $0.contains(".restored-") })
      #expect(await magic("restore", copy, path).status == 0)
    }
  }

  /// The state between the renames: no database at its path, and a folder or log with content.
  @Test func aRestoreThatWasKilledIsRepeated() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".replaced-01234567")
      try Data("A database is being restored.".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
      await #expect { try await MagicData(path: path) } throws: {
        ($0 as? MagicError)?.code == .lostDatabase
      }
      #expect(await magic("restore", copy, path).status == 0)
      #expect(await magic("verify", path).status == 0)
      #expect(await rows(path) == rows(copy))
    }
  }

  @Test func aCopyWithFaultsIsNotRestored() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      let connection = try SQLiteConnection(path: copy)
      try connection.execute("PRAGMA foreign_keys = OFF; DELETE FROM City WHERE z_index = 2")
      connection.close()
      let refused = await magic("restore", copy, path)
      #expect(refused.status == 1)
      #expect(await magic("verify", path).status == 0)
      #expect(await magic("restore", copy, path, "--accept-faults").status == 0)
      #expect(await magic("verify", path).status == 1)
    }
  }

  @Test func aRestoreNeedsTwoDatabases() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      #expect(await magic("restore", path, path).status == 64)
      #expect(await magic("restore", path + "-none", path).status == 2)
      #expect(await magic("backup", path, path).status == 7)
      #expect(await magic("verify", path).status == 0)
    }
  }

  @Test func compactReturnsFreeSpace() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        library("data BLOB") + """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO Item SELECT i, zeroblob(2000) FROM n;
          DELETE FROM Item WHERE z_index > 100;
          """)
      connection.close()
      #expect(await magic("doctor", path).output.contains("magic compact"))
      let object = try #require(await magic("compact", path, "--json").json() as? [String: Any])
      let before = try #require(object["bytesBefore"] as? Int)
      let after = try #require(object["bytesAfter"] as? Int)
      #expect(after * 4 < before)
      #expect(!(await magic("doctor", path).output.contains("magic compact")))
    }
  }
}
