import Foundation
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// What `restore` replaces, and what it refuses.
@Suite struct RestoreTests {
  private let files = FileManager.default

  /// Calls the body with a database, a copy of it and their directory.
  private func withCopy(_ body: (String, String, URL) async throws -> Void) async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      #expect(await magic("backup", path, copy).status == 0)
      try await body(path, copy, directory)
    }
  }

  @Test func aFileOfAnotherProgramIsNotReplaced() async throws {
    try await withCopy { _, copy, directory in
      let text = directory.appendingPathComponent("letter.txt").path
      try Data("Dear reader".utf8).write(to: URL(fileURLWithPath: text))
      let other = directory.appendingPathComponent("other.sqlite3").path
      let connection = try SQLiteConnection(path: other)
      try connection.execute("CREATE TABLE Note (text TEXT)")
      connection.close()
      let nothing = directory.appendingPathComponent("link").path
      try files.createSymbolicLink(
        atPath: nothing, withDestinationPath: directory.path + "/missing")
      for target in [text, other] {
        let content = try Data(contentsOf: URL(fileURLWithPath: target))
        for options in [[], ["--keep"], ["--accept-faults"]] {
          let run = await magic(["restore", copy, target] + options)
          #expect(run.status == 2)
          #expect(run.messages.contains("is not a database of MagicData"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == content)
      }
      #expect(await magic("restore", copy, nothing).status == 2)
      let names = try files.contentsOfDirectory(atPath: directory.path)
      #expect(!names.contains { $0.contains(".restored-") || $0.contains(".replaced-") })
    }
  }

  @Test func anEmptyFileIsReplaced() async throws {
    try await withCopy { _, copy, directory in
      let target = directory.appendingPathComponent("new.sqlite3").path
      try Data().write(to: URL(fileURLWithPath: target))
      #expect(await magic("restore", copy, target).status == 0)
      #expect(await magic("verify", target).status == 0)
    }
  }

  @Test func theFileOfALinkIsReplaced() async throws {
    try await withCopy { path, copy, directory in
      let link = directory.appendingPathComponent("link").path
      try files.createSymbolicLink(atPath: link, withDestinationPath: path)
      let connection = try SQLiteConnection(path: path)
      try connection.execute("DELETE FROM Ticket")
      connection.close()
      #expect(await magic("restore", copy, link).status == 0)
      #expect(try files.destinationOfSymbolicLink(atPath: link) == path)
      let sql = "SELECT count(*) FROM Ticket"
      #expect(await magic("query", path, sql).output == magic("query", copy, sql).output)
      #expect(await magic("verify", link).status == 0)
    }
  }

  @Test func thePermissionsAreThoseOfTheReplacedFile() async throws {
    try await withCopy { path, copy, _ in
      for mode in [0o640, 0o604] {
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(await magic("restore", copy, path).status == 0)
        #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
      }
    }
  }

  @Test func aLinkToTheDatabaseIsNoCopyOfIt() async throws {
    try await withCopy { path, _, directory in
      let link = directory.appendingPathComponent("link").path
      try files.createSymbolicLink(atPath: link, withDestinationPath: path)
      let hard = directory.appendingPathComponent("hard").path
      try files.linkItem(atPath: path, toPath: hard)
      for copy in [link, hard] {
        let run = await magic("restore", copy, path)
        #expect(run.status == 64)
        #expect(run.messages.contains("the same file"))
      }
      // The library opens no file with two names.
      try files.removeItem(atPath: hard)
      #expect(await magic("verify", path).status == 0)
    }
  }
}
