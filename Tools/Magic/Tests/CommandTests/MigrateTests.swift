import Foundation
import MagicCommand
import MagicData
import Testing
import ToolTestSupport

@Suite struct MigrateTests {
  enum Before {
    struct Person: MagicObject {
      @PrimaryMagicValue var id: String
      @MagicValue var name: String = ""

      init() {}
      init(id: String, name: String) {
        self.id = id
        self.name = name
      }
    }
  }

  enum After {
    struct Person: MagicObject {
      @PrimaryMagicValue var id: String
      @MagicValue(.indexed) var name: String = ""
      @OptionMagicValue var age: Int?

      init() {}
    }
  }

  enum Shorter {
    struct Person: MagicObject {
      @PrimaryMagicValue var id: String

      static var migrations: Migrations {
        Migrations { MigrationStep(1) { [.deleteValue(name: "name")] } }
      }

      init() {}
    }
  }

  enum Refused {
    struct Person: MagicObject {
      @PrimaryMagicValue var id: String

      init() {}
    }
  }

  enum RefusedTool: MagicTool {
    static let types: [any MagicObject.Type] = [Refused.Person.self]
  }

  enum Tool: MagicTool {
    static let types: [any MagicObject.Type] = [After.Person.self]
    static let name = "people"
  }

  enum Deleting: MagicTool {
    static let types: [any MagicObject.Type] = [Shorter.Person.self]
  }

  private func database(in directory: URL) async throws -> String {
    let path = directory.appendingPathComponent("people.sqlite3").path
    let magic = try await MagicData(path: path)
    try await magic.update(Before.Person(id: "ada", name: "Ada"))
    await magic.close()
    return path
  }

  @Test func aPlanChangesNothing() async throws {
    try await withDirectory { directory in
      let path = try await database(in: directory)
      let sql = await magic("schema", path, "--sql").output
      let run = await magic("migrate", path, "--plan", "--sql", tool: Tool.self)
      #expect(run.status == 0)
      #expect(run.output.contains("age"))
      #expect(run.output.contains("CREATE INDEX"))
      #expect(await magic("schema", path, "--sql").output == sql)
      let json = try #require(
        await magic("migrate", path, "--json", tool: Tool.self).json() as? [String: Any])
      #expect((json["steps"] as? [Any])?.isEmpty == false)
    }
  }

  @Test func applyMigrates() async throws {
    try await withDirectory { directory in
      let path = try await database(in: directory)
      #expect(await magic("migrate", path, "--apply", tool: Tool.self).status == 0)
      #expect(await magic("inspect", path, "Person").output.contains("age"))
      let again = await magic("migrate", path, "--plan", tool: Tool.self)
      #expect(again.output == "The tables have the schema of the types.\n")
      #expect(await magic("verify", path).status == 0)
    }
  }

  @Test func rowsAreNotDeletedWithoutABackup() async throws {
    try await withDirectory { directory in
      let path = try await database(in: directory)
      let refused = await magic("migrate", path, "--apply", tool: Deleting.self)
      #expect(refused.status == 64)
      #expect(refused.messages.contains("--backup"))
      #expect(await magic("show", path, "Person", "ada").output.contains("Ada"))
      let copy = directory.appendingPathComponent("before.sqlite3").path
      let run = await magic("migrate", path, "--apply", "--backup", copy, tool: Deleting.self)
      #expect(run.status == 0)
      #expect(!(await magic("inspect", path, "Person").output.contains("name")))
      #expect(await magic("show", copy, "Person", "ada").output.contains("Ada"))
    }
  }

  @Test func aStepThatNeedsADecisionIsRefused() async throws {
    try await withDirectory { directory in
      let path = try await database(in: directory)
      for action in ["--plan", "--apply"] {
        let run = await magic("migrate", path, action, "--no-backup", tool: RefusedTool.self)
        #expect(run.status == 1)
        #expect(run.output.contains("Person: "))
        #expect(run.output.contains("refused: name is dropped"))
      }
      #expect(await magic("show", path, "Person", "ada").output.contains("Ada"))
    }
  }

  @Test func aToolWithTypesHasAllCommandsAndItsName() async throws {
    try await withDirectory { directory in
      let path = try await database(in: directory)
      let help = await magic("--help", tool: Tool.self).output
      for name in ["people <subcommand>", "migrate", "record", "inspect"] {
        #expect(help.contains(name))
      }
      let fixture = directory.appendingPathComponent("1.0.sqlite3").path
      #expect(await magic("record", path, fixture, tool: Tool.self).status == 0)
      #expect(await magic("show", fixture, "Person", "ada", tool: Tool.self).status == 0)
      #expect(await magic("migrate", path + "-none", tool: Tool.self).status == 2)
    }
  }
}
