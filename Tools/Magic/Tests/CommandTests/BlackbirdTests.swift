import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// Files of Blackbird: a table for each type, with a default value for each column.
@Suite struct BlackbirdTests {
  private static let tables = """
    CREATE TABLE `Author` (`id` TEXT NOT NULL DEFAULT '',`name` TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (`id`));
    CREATE TABLE `Post` (`id` INTEGER NOT NULL DEFAULT 0,`title` TEXT NOT NULL DEFAULT '',
      `url` TEXT NULL DEFAULT NULL,`isPublished` INTEGER NOT NULL DEFAULT 0,
      `rating` DOUBLE NOT NULL DEFAULT 0.0,`created` DOUBLE NOT NULL DEFAULT 0.0,
      `image` BLOB NULL DEFAULT NULL,PRIMARY KEY (`id`));
    CREATE INDEX `Post+index+title` ON Post (title);
    INSERT INTO `Author` VALUES ('a', 'Ada'), ('z', 'Zoë');
    INSERT INTO `Post` VALUES (3, 'One', 'https://example.com/1', 1, 0.5, 1700000000.25, x'00ff'),
      (8, 'Two', NULL, 0, -1.0, 0.0, NULL);
    """

  struct Author: MagicObject {
    static var migrations: Migrations { Migrations { MigrationStep { [.adoptTable()] } } }

    @PrimaryMagicValue var id: String
    @MagicValue var name: String

    init() {}
  }

  struct Post: MagicObject {
    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable(dates: .unixSeconds)] } }
    }

    @PrimaryMagicValue var id: Int
    @MagicValue(.indexed) var title: String
    @OptionMagicValue var url: URL?
    @MagicValue var isPublished: Bool
    @MagicValue var rating: Double
    @MagicValue var created: Date
    @OptionMagicValue var image: Data?

    init() {}
  }

  enum Tool: MagicTool {
    static let types: [any MagicObject.Type] = [Author.self, Post.self]
  }

  private func withFile(_ body: (_ old: String, _ new: String) async throws -> Void) async throws {
    try await withDirectory { directory in
      let old = directory.appendingPathComponent("blackbird.sqlite").path
      let connection = try SQLiteConnection(path: old)
      try connection.execute("PRAGMA journal_mode = WAL; PRAGMA auto_vacuum = INCREMENTAL")
      try connection.execute(Self.tables)
      connection.close()
      try await body(old, directory.appendingPathComponent("new.sqlite3").path)
    }
  }

  @Test func theTablesBecomeThoseOfTheTypes() async throws {
    try await withFile { old, new in
      let run = await magic("import", old, new, tool: Tool.self)
      #expect(run.status == 0, "\(run)")
      let magic = try await MagicData(path: new)
      #expect(try await magic.object(of: Author.self).map(\.name) == ["Ada", "Zoë"])
      let one = try await magic.object(of: Post.self, primary: 3)
      #expect(one.title == "One" && one.url == URL(string: "https://example.com/1"))
      #expect(one.isPublished && one.rating == 0.5 && one.image == Data([0, 255]))
      #expect(one.created == Date(timeIntervalSince1970: 1_700_000_000.25))
      let two = try await magic.object(of: Post.self, primary: 8)
      #expect(!two.isPublished && two.rating == -1 && two.url == nil && two.image == nil)
      #expect(try await magic.verify().isSound)
      await magic.close()
    }
  }

  @Test func theTypesAreWritten() async throws {
    try await withFile { old, _ in
      let source = await magic("schema", old, "--swift")
      #expect(source.status == 0)
      for line in [
        "struct Author: MagicObject {", "struct Post: MagicObject {",
        "  @PrimaryMagicValue var id: Int",
        "  @PrimaryMagicValue var id: String", "  @MagicValue(.indexed) var title: String",
        "  @OptionMagicValue var url: String?", "  @MagicValue var created: Double",
        "  @OptionMagicValue var image: Data?",
      ] {
        #expect(source.lines.contains(Substring(line)), "\(source.output)")
      }
    }
  }
}
