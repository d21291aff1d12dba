import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// Databases that the original MagicData has written.
@Suite struct OriginalCommandTests {
  struct Artist: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var name: String

    init() {}
  }

  enum Tool: MagicTool {
    static let types: [any MagicObject.Type] = [Artist.self]
  }

  private static let tables = """
    CREATE TABLE "0Table_Info" ("table_name" TEXT PRIMARY KEY NOT NULL, "version" INTEGER NOT NULL,
      "z_index_count" INTEGER NOT NULL, "structure" BLOB NOT NULL, "updating" INTEGER NOT NULL);
    INSERT INTO "0Table_Info" VALUES ('Artist', 0, 2, x'5b5d', 0);
    CREATE TABLE "Artist" ("_id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "_name" TEXT NOT NULL,
      "z_index" INTEGER NOT NULL UNIQUE);
    INSERT INTO "Artist" VALUES (1, 'Ada', 0), (2, 'Zoë', 1);
    """

  /// Makes a database of the original library, and runs a body with its path and that of a new one.
  private func withDatabase(
    _ sql: String = tables, _ body: (_ old: String, _ new: String) async throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let old = directory.appendingPathComponent("old.sqlite3").path
      let connection = try SQLiteConnection(path: old)
      try connection.execute(sql)
      connection.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: old))
      try await body(old, directory.appendingPathComponent("new.sqlite3").path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
    }
  }

  @Test func aToolWithTypesImportsTheObjects() async throws {
    try await withDatabase { old, new in
      let run = await magic("import", old, new, tool: Tool.self)
      #expect(run.status == 0 && run.output.contains("Copied 2 rows"), "\(run)")
      let magic = try await MagicData(path: new)
      #expect(try await magic.object(of: Artist.self, primary: 2).name == "Zoë")
      #expect(try await magic.verify().isSound)
      await magic.close()
    }
  }

  @Test func whatNoTypeHasIsLeftOutIfThatIsAllowed() async throws {
    let sql = Self.tables + "ALTER TABLE \"Artist\" ADD COLUMN \"_age\" INTEGER;"
    try await withDatabase(sql) { old, new in
      let refused = await magic("import", old, new, tool: Tool.self)
      #expect(refused.status != 0 && refused.messages.contains("Artist._age"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: new))
      #expect(await magic("import", old, new, "--allow-loss", tool: Tool.self).status == 0)
    }
  }

  @Test func aPlanShowsTheTypesAndWhatWouldBeLost() async throws {
    let sql = Self.tables + "ALTER TABLE \"Artist\" ADD COLUMN \"_age\" INTEGER;"
    try await withDatabase(sql) { old, new in
      let plan = await magic("import", old, new, "--plan", tool: Tool.self)
      #expect(plan.status == 1, "\(plan)")
      let allowed = await magic("import", old, new, "--plan", "--allow-loss", tool: Tool.self)
      #expect(allowed.status == 0)
      #expect(
        plan.lines == [
          "Artist → Artist: 2 rows", "  _id → id", "  _name → name", "lost: Artist._age",
        ])
      let json = await magic("import", old, new, "--plan", "--json", tool: Tool.self)
      #expect(json.output.contains("\"Artist._age\"") && json.output.contains("\"missingAssets\""))
      #expect(!FileManager.default.fileExists(atPath: new))
    }
  }

  @Test func aDirectoryThatContainsTheDefaultFileIsImported() async throws {
    try await withDatabase { old, new in
      let directory = URL(fileURLWithPath: old).deletingLastPathComponent().path
      try FileManager.default.copyItem(atPath: old, toPath: directory + "/default.sqlite3")
      let run = await magic("import", directory, new, tool: Tool.self)
      #expect(run.status == 0 && run.output.contains("Copied 2 rows"), "\(run)")
    }
  }

  @Test func thereIsNoImportWithoutTypes() async throws {
    try await withDatabase { old, new in
      let plain = await magic("import", old, new)
      #expect(plain.status == 64, "\(plain)")
      #expect(plain.messages.contains("The original MagicData has written the file"))
      #expect(plain.messages.contains("magic migrate"))
      #expect(!FileManager.default.fileExists(atPath: new))
    }
  }

  @Test func theLossIsAllowedOnlyForDatabasesOfTheOriginalLibrary() async throws {
    try await withDirectory { directory in
      let folder = directory.appendingPathComponent("export").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let run = await magic("import", folder, directory.path + "/new.sqlite3", "--allow-loss")
      #expect(run.status == 64 && run.messages.contains("--allow-loss"))
    }
  }
}
