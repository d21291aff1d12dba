import Foundation
import MagicCommand
import Testing

/// The arguments of `copy`, and addresses of servers in commands for files.
@Suite struct CopyCommandTests {
  private static let unreachable = "host=/nonexistent user=someone password=secret dbname=shop"

  @Test func twoFilesAreRefused() async {
    let run = await magic("copy", "a.sqlite3", "b.sqlite3")
    #expect(run.status == 64)
    #expect(run.messages.contains("magic backup"))
    let schema = await magic("copy", "a.sqlite3", Self.unreachable, "--from-schema", "s")
    #expect(schema.status == 64)
    #expect(!schema.messages.contains("secret"))
    let file = await magic("copy", "password.secret", Self.unreachable, "--from-schema", "s")
    #expect(file.status == 64)
    #expect(!file.messages.contains("secret"))
  }

  @Test(arguments: [
    "sslmode=require host=/nonexistent password=secret dbname=x",
    "connect_timeout=5 dbname=shop host=/nonexistent password=secret",
    "options='-c geqo=off' host=/nonexistent password=secret",
  ])
  func aConnectionStringBeginsWithAnyKeyword(_ address: String) async {
    let run = await magic("copy", address, "copy.sqlite3")
    #expect(run.status == 2)
    #expect(!run.messages.contains("secret"))
    #expect(await magic("compact", address).status == 64)
  }

  @Test func aPathWithAnEqualsSignIsAFile() async {
    #expect(await magic("copy", "a=b.sqlite3", "c.sqlite3").status == 64)
  }

  @Test(arguments: ["compact", "backup", "restore"])
  func commandsForFilesRefuseAddresses(_ command: String) async {
    for address in [Self.unreachable, "postgres://someone:secret@nonexistent/shop"] {
      let places = ["backup", "restore"].contains(command) ? [address, "other"] : [address]
      let run = await magic([command] + places)
      #expect(run.status == 64)
      #expect(run.messages.contains("magic copy"))
      #expect(!run.messages.contains("secret"))
    }
  }

  @Test(arguments: ["inspect", "verify", "doctor", "schema", "serve", "watch"])
  func aServerThatCannotBeReachedIsNoDatabase(_ command: String) async {
    let run = await magic(command, Self.unreachable)
    #expect(run.status == 2)
    #expect(!run.messages.contains("secret"))
  }

  @Test func anOptionForServersIsRefusedForAFile() async {
    #expect(await magic("inspect", "people.sqlite3", "--schema", "s").status == 64)
    #expect(await magic("schema", Self.unreachable, "--sql").status == 64)
  }

  @Test func aMissingSourceLeavesNoDestination() async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("copy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let copy = directory.appendingPathComponent("copy.sqlite3").path
    #expect(await magic("copy", Self.unreachable, copy).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}
