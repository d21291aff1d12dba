import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct InspectTests {
  @Test(arguments: Fixture.allCases)
  func aFileOfEachFormatIsShown(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      let text = await magic("inspect", path)
      #expect(text.status == 0)
      #expect(text.output.contains("format    \(fixture.format)\n"))
      #expect(text.lines.contains { $0.hasPrefix("Person") && $0.contains(" 24 ") })
      #expect(text.messages.contains("guesses") == (fixture != .columns))
      let object = try #require(await magic("inspect", path, "--json").json() as? [String: Any])
      #expect(object["format"] as? Int == fixture.format)
      let types = try #require(object["types"] as? [[String: Any]])
      let person = try #require(types.first { $0["name"] as? String == "Person" })
      #expect(person["rows"] as? Int == 24)
      #expect(person["isDescribed"] as? Bool == (fixture == .columns))
    }
  }

  @Test func aTypeIsShownWithItsProperties() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let text = await magic("inspect", path, "Home")
      #expect(text.lines.contains { $0.hasPrefix("street") && $0.contains("the street") })
      #expect(text.lines.contains { $0.hasPrefix("Home(name) unique") })
      let earlier = await magic("inspect", try Fixture.values.copy(to: directory), "Person")
      #expect(earlier.lines.contains { $0.hasPrefix("born") && $0.contains("date ?") })
      let object = try #require(
        await magic("inspect", path, "Home", "--json").json() as? [String: Any])
      #expect((object["relationships"] as? [Any])?.count == 11)
    }
  }

  @Test(arguments: [60, 80, 160])
  func noLineIsWiderThanTheTerminal(_ width: Int) async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      for arguments in [
        ["inspect", path], ["inspect", path, "Person"], ["inspect", path, "Home"],
        ["query", path, "SELECT * FROM Person"], ["show", path, "Home", "home 1", "--depth", "3"],
        ["query", path, "SELECT z_index, id, name FROM Person"],
      ] {
        let run = await magic(arguments, width: width)
        #expect(run.status == 0)
        // The path is written completely.
        for line in run.lines where !line.hasPrefix(path) {
          #expect(line.count <= width, "\(line)")
        }
      }
    }
  }

  @Test func coloursAreWrittenOnlyToATerminalThatHasThem() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      #expect(await magic("inspect", path, hasColours: true).output.contains("\u{1B}[1m"))
      #expect(!(await magic("inspect", path).output.contains("\u{1B}")))
    }
  }

  @Test func hostileNamesCannotControlTheTerminal() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let name = "a\u{1B}[2J\u{202E}\n<script>'"
      let quoted = "'" + name.replacing("'", with: "''") + "'"
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        library("name TEXT") + """
          CREATE TABLE \(quoted) (z_index INTEGER PRIMARY KEY, \(quoted) TEXT);
          CREATE TABLE "b\u{1B}" (a);
          INSERT INTO magic_catalogue (table_name, type_name, fingerprint)
            VALUES (\(quoted), \(quoted), ''), ('b\u{1B}', '', '');
          INSERT INTO \(quoted) VALUES (1, \(quoted));
          """)
      connection.close()
      for arguments in [
        ["inspect", path], ["inspect", path, name], ["schema", path], ["schema", path, "--svg"],
        ["schema", path, "--sql"], ["query", path, "SELECT * FROM \(quoted)", "--csv"],
        ["schema", path, "--swift"], ["show", path, name, "#1"], ["show", path, name, name],
        ["query", path, "SELECT * FROM \(quoted)"], ["inspect", path, "--json"],
        ["show", path, name, "#1", "--json"], ["inspect", path, "none"], ["doctor", path],
        ["query", path, "SELECT \"\(name)2\" FROM Item"],
      ] {
        let run = await magic(arguments, width: 80)
        for text in [run.output, run.messages] {
          #expect(!text.contains("\u{1B}"), "\(arguments)")
          #expect(!text.contains("\u{202E}"), "\(arguments)")
        }
        if arguments.contains("--svg") { #expect(!run.output.contains("<script")) }
      }
    }
  }

  @Test func theNumberAtTheEndNamesTheError() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let text = directory.appendingPathComponent("text").path
      try Data(String(repeating: "text ", count: 1_000).utf8).write(to: URL(fileURLWithPath: text))
      let other = directory.appendingPathComponent("other.sqlite3").path
      let connection = try SQLiteConnection(path: other)
      try connection.execute("CREATE TABLE t (a)")
      connection.close()
      #expect(await magic("inspect", path).status == 0)
      #expect(await magic("inspect", directory.path + "/none").status == 2)
      #expect(await magic("inspect", directory.path).status == 2)
      #expect(await magic("inspect", text).status == 2)
      #expect(await magic("inspect", other).status == 0)
      for command in ["verify", "compact", "doctor"] {
        #expect(await magic(command, other).status == 2)
        #expect(await magic(command, text).status == 2)
        #expect(await magic(command, directory.path + "/none").status == 2)
      }
      #expect(!FileManager.default.fileExists(atPath: directory.path + "/none"))
      #expect(await magic("inspect", path, "Nothing").status == 4)
      #expect(await magic("show", path, "Person", "nobody").status == 4)
      #expect(await magic("inspect").status == 64)
      #expect(await magic("unknown").status == 64)
      #expect(await magic("query", path, "SELEC").status == 64)
      #expect(await magic("migrate", path, "--plan").status == 64)
      #expect(await magic("--help").status == 0)
      #expect(await magic("help", "query").output.contains("name=value"))
      #expect(await magic().output.contains("SUBCOMMANDS"))
    }
  }

  @Test func aNewerFormatIsNotRead() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let connection = try SQLiteConnection(path: path)
      try connection.execute("UPDATE magic_format SET version = 9")
      connection.close()
      for command in ["inspect", "verify", "doctor", "schema", "compact"] {
        let run = await magic(command, path)
        #expect(run.status == 3)
        #expect(run.messages.contains("format 9"))
      }
    }
  }

  @Test func theManualNamesEveryCommandAndStatus() async {
    let page = await magic("man").output
    for name in ["inspect", "query", "restore", "watch"] { #expect(page.contains(".SS \(name)\n")) }
    for number in [0, 1, 2, 3, 4, 5, 6, 7, 64] { #expect(page.contains(".TP\n\(number)\n")) }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsAreGenerated(_ shell: String) async {
    let script = await magic("--generate-completion-script", shell)
    #expect(script.status == 0)
    #expect(script.output.contains("inspect"))
  }
}
