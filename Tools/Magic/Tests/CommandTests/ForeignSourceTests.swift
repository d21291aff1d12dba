import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// `GeneratedForeignTypes.swift` is what `schema --swift` writes for the tables of these tests.
@Suite struct ForeignSourceTests {
  private static let tables = """
    CREATE TABLE customer (id TEXT PRIMARY KEY, name TEXT NOT NULL, fax TEXT);
    INSERT INTO customer VALUES ('a', 'Ada', NULL), ('b', 'Ben', '1');
    CREATE TABLE purchase (number INTEGER PRIMARY KEY,
      customer TEXT NOT NULL REFERENCES customer ON DELETE CASCADE,
      next INTEGER REFERENCES purchase, placed DATETIME, "total price" REAL NOT NULL,
      paid BOOLEAN NOT NULL, token TEXT NOT NULL UNIQUE);
    CREATE INDEX paidIndex ON purchase (paid);
    INSERT INTO purchase VALUES
      (7, 'b', 9, '2024-05-31 12:00:00', 1.5, 1, '6F9619FF-8B86-D011-B42D-00C04FC964FF'),
      (9, 'a', NULL, NULL, 2, 0, '6f9619ff-8b86-d011-b42d-00c04fc964fe');
    CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
    INSERT INTO tag VALUES ('x'), ('y');
    CREATE TABLE purchaseTag (purchase INTEGER NOT NULL REFERENCES purchase,
      tag TEXT NOT NULL REFERENCES tag, PRIMARY KEY (purchase, tag));
    INSERT INTO purchaseTag VALUES (7, 'x'), (7, 'y'), (9, 'y');
    CREATE TABLE line (purchase INTEGER NOT NULL REFERENCES purchase, position INTEGER NOT NULL,
      text TEXT, PRIMARY KEY (purchase, position));
    INSERT INTO line VALUES (7, 1, 'pen'), (7, 2, NULL);
    CREATE TABLE profile (customer TEXT PRIMARY KEY NOT NULL REFERENCES customer, text TEXT);
    INSERT INTO profile VALUES ('a', 'x');
    CREATE TABLE data (id INTEGER PRIMARY KEY, at DATE, Date DATE, "a b" TEXT, "a-b" TEXT, a_b TEXT,
      tag TEXT REFERENCES tag);
    INSERT INTO data VALUES (1, '2024-05-31', '2024-05-30', '1', '2', '3', 'x');
    CREATE TABLE character (id INTEGER PRIMARY KEY, bytes BLOB);
    INSERT INTO character VALUES (1, x'01');
    CREATE VIEW totals AS SELECT sum("total price") FROM purchase;
    """

  private func make(_ sql: String, in directory: URL) throws -> String {
    let path = directory.appendingPathComponent("other.sqlite3").path
    let connection = try SQLiteConnection(path: path)
    defer { connection.close() }
    try connection.execute(sql)
    return path
  }

  @Test func theSourceIsTheCompiledFile() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("GeneratedForeignTypes.swift")
    try await withDirectory { directory in
      let run = await magic("schema", try make(Self.tables, in: directory), "--swift")
      #expect(run.status == 0)
      let end = try #require(run.output.range(of: "import MagicData\n\n")?.upperBound)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.hasSuffix("enum Foreign {\n\(run.output[end...])}\n"), "\(run.output)")
    }
  }

  enum ForeignTool: MagicTool {
    static let types: [any MagicObject.Type] = [
      Foreign.Customer.self, Foreign.Purchase.self, Foreign.Tag.self, Foreign.Line.self,
      Foreign.Profile.self, Foreign.Data2.self, Foreign.Character2.self,
    ]
  }

  @Test func anImportAdoptsTheTablesInANewFile() async throws {
    try await withDirectory { directory in
      let path = try make(Self.tables + "DROP VIEW totals;", in: directory)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let new = directory.appendingPathComponent("new.sqlite3").path
      let plan = await magic("import", path, new, "--plan", tool: ForeignTool.self)
      #expect(plan.status == 0 && plan.output.contains("Purchase: "), "\(plan)")
      #expect(!FileManager.default.fileExists(atPath: new))

      let run = await magic("import", path, new, tool: ForeignTool.self)
      #expect(run.status == 0 && run.output == plan.output, "\(run)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names.filter { !$0.hasPrefix("other.sqlite3") } == ["new.sqlite3"])
      let imported = try await MagicData(path: new)
      #expect(try await imported.migrationPlan(for: ForeignTool.types).isEmpty)
      let purchase = try await imported.object(of: Foreign.Purchase.self, primary: 7)
      #expect(purchase.customer.name == "Ben" && purchase.next?.number == 9)
      #expect(purchase.purchaseTag.map(\.name).sorted() == ["x", "y"])
      await imported.close()

      let again = await magic("import", path, new, tool: ForeignTool.self)
      #expect(again.status == 7 && again.messages.contains("already exists"))
      let other = directory.appendingPathComponent("third.sqlite3").path
      let plain = await magic("import", path, other)
      #expect(plain.status == 64 && plain.messages.contains("schema FILE --swift"))
      #expect(!FileManager.default.fileExists(atPath: other))
    }
  }

  enum Unrelated {
    struct Planet: MagicObject {
      @PrimaryMagicValue var name: String
      init() {}
    }
  }

  enum UnrelatedTool: MagicTool {
    static let types: [any MagicObject.Type] = [Unrelated.Planet.self]
  }

  @Test(arguments: [[], ["--plan"]])
  func anImportThatAdoptsNoTableIsRefused(_ options: [String]) async throws {
    try await withDirectory { directory in
      let path = try make(Self.tables, in: directory)
      let new = directory.appendingPathComponent("new.sqlite3").path
      let run = await magic(["import", path, new] + options, tool: UnrelatedTool.self)
      #expect(run.status == 64 && run.output.isEmpty, "\(run)")
      #expect(run.messages.contains("No type of the tool adopts a table of the database"))
      #expect(run.messages.contains("character, customer, data"))
      #expect(!FileManager.default.fileExists(atPath: new))
    }
  }

  @Test(arguments: [[], ["--plan"]])
  func anImportShowsTheTypeThatDoesNotDeclareTheAdoption(_ options: [String]) async throws {
    try await withDirectory { directory in
      let path = try make("CREATE TABLE Planet (name TEXT PRIMARY KEY)", in: directory)
      let new = directory.appendingPathComponent("new.sqlite3").path
      let run = await magic(["import", path, new] + options, tool: UnrelatedTool.self)
      #expect(run.status == 1 && run.output.contains("declare .adoptTable()"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: new))
    }
  }

  @Test func theTypesAdoptTheTables() async throws {
    try await withDirectory { directory in
      let path = try make(Self.tables + "DROP VIEW totals;", in: directory)
      let magic = try await MagicData(path: path)
      let types: [any MagicObject.Type] = [
        Foreign.Customer.self, Foreign.Purchase.self, Foreign.Tag.self, Foreign.Line.self,
        Foreign.Profile.self, Foreign.Data2.self, Foreign.Character2.self,
      ]
      #expect(try await !magic.migrationPlan(for: types).isEmpty)
      try await magic.migrate(types)
      let purchase = try await magic.object(of: Foreign.Purchase.self, primary: 7)
      #expect(purchase.customer.name == "Ben" && purchase.next?.number == 9)
      #expect(purchase.placed == Date(timeIntervalSince1970: 1_717_156_800))
      #expect(purchase.total_price == 1.5 && purchase.paid)
      #expect(purchase.purchaseTag.map(\.name).sorted() == ["x", "y"])
      let lines = try await magic.query(Foreign.Line.self).order(by: \.$position).all()
      #expect(lines.map(\.text) == ["pen", nil] && lines[0].purchase.number == 7)
      let profile = try #require(try await magic.query(Foreign.Profile.self).first())
      #expect(profile.customer.name == "Ada" && profile.text == "x")
      let data = try await magic.object(of: Foreign.Data2.self, primary: 1)
      #expect([data.a_b2, data.a_b3, data.a_b] == ["1", "2", "3"] && data.tag?.name == "x")
      #expect(data.at == Date(timeIntervalSince1970: 1_717_113_600))
      #expect(data.date == Date(timeIntervalSince1970: 1_717_027_200))
      let character = try await magic.object(of: Foreign.Character2.self, primary: 1)
      #expect(character.bytes == Data([1]))
      #expect(try await magic.verify().isSound)
      await magic.close()
    }
  }

  @Test func namesOfTablesAreNeverPartsOfTheSource() async throws {
    try await withDirectory { directory in
      let path = try make(
        """
        CREATE TABLE "a"" } struct b" ("x
        init" TEXT, "class" INTEGER, mixed);
        INSERT INTO "a"" } struct b" VALUES ('1', 2, 'a'), ('1', 2, 3);
        CREATE VIEW "v
        // a" AS SELECT * FROM "a"" } struct b";
        """, in: directory)
      let source = await magic("schema", path, "--swift").output
      for line in [
        "struct A____struct_b: MagicObject {", "  @OptionMagicValue var `class`: Int?",
        #"  @OptionMagicValue(.wasNamed("x\u{a}init")) var x_init: String?"#,
        "  @OptionMagicValue var mixed: String?  // The values are of several types: integer, text.",
      ] {
        #expect(source.split(separator: "\n").contains(Substring(line)), "\(source)")
      }
      #expect(source.contains(#"[.adoptTable("a\" } struct b")]"#))
      #expect(!source.split(separator: "\n").contains { $0.hasPrefix("// a") })
    }
  }

  private func source(_ sql: String) async throws -> String {
    var source = ""
    try await withDirectory { directory in
      let run = await magic("schema", try make(sql, in: directory), "--swift")
      #expect(run.status == 0, "\(run.messages)")
      source = run.output
    }
    return source
  }

  @Test func tablesThatAreNoTypesAreLeftOut() async throws {
    let source = try await source(
      """
      CREATE VIRTUAL TABLE words USING fts5(text);
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      CREATE TABLE words_of_users (text TEXT);
      """)
    let types = source.split(separator: "\n").filter { $0.hasPrefix("struct ") }
    #expect(types == ["struct Words_of_users: MagicObject {"])
  }

  @Test func tablesOfTheOriginalLibraryAreImported() async throws {
    let source = try await source(
      """
      CREATE TABLE "0Table_Info" (table_name TEXT, create_version INTEGER);
      CREATE TABLE Person (z_index INTEGER PRIMARY KEY, name TEXT);
      """)
    #expect(source.contains(".originalMagicData(path, as: types)"))
    #expect(!source.contains("struct "))
  }

  private static let parents =
    "CREATE TABLE a (id INTEGER PRIMARY KEY);"
    + "CREATE TABLE b (id INTEGER PRIMARY KEY);"

  @Test(arguments: [
    ("x INTEGER REFERENCES a, y INTEGER REFERENCES b, PRIMARY KEY (y, x)", "", true),
    ("id INTEGER PRIMARY KEY, x INTEGER REFERENCES a, y INTEGER REFERENCES b", "", true),
    ("x INTEGER REFERENCES a, y INTEGER REFERENCES b", "", true),
    ("id TEXT PRIMARY KEY, x INTEGER REFERENCES a, y INTEGER REFERENCES b", "", false),
    ("x INTEGER PRIMARY KEY REFERENCES a, y INTEGER REFERENCES b", "", false),
    (
      "id INTEGER PRIMARY KEY, x INTEGER REFERENCES a, y INTEGER REFERENCES b",
      "CREATE TABLE c (j INTEGER REFERENCES J)", false
    ),
    (
      "x INTEGER REFERENCES a, y INTEGER REFERENCES b, FOREIGN KEY (x, y) REFERENCES c (d, e)",
      "CREATE TABLE c (d INTEGER, e INTEGER, PRIMARY KEY (d, e))", false
    ),
  ])
  func aTableOfTwoReferencesIsACollectionIfItCanBeAdopted(
    _ columns: String, _ other: String, _ isCollection: Bool
  ) async throws {
    let source = try await source(Self.parents + "CREATE TABLE j (\(columns)); \(other)")
    #expect(source.contains("@MagicValue var j: MagicalSet<B> = []") == isCollection, "\(source)")
    #expect(source.contains("struct J: MagicObject") != isCollection)
  }

  @Test func aNameIsUsedOnce() async throws {
    let source = try await source(
      """
      CREATE TABLE "a b" (id INTEGER PRIMARY KEY); CREATE TABLE "a-b" (id INTEGER PRIMARY KEY);
      CREATE TABLE a_b (id INTEGER PRIMARY KEY, a_B TEXT, "A b" TEXT);
      CREATE TABLE a_b2 (id INTEGER PRIMARY KEY, other INTEGER REFERENCES "a b");
      """)
    for line in [
      "struct A_b: MagicObject {", "struct A_b2: MagicObject {", "struct A_b3: MagicObject {",
      "struct A_b4: MagicObject {", "  @OptionMagicValue var a_B: String?",
      #"  @OptionMagicValue(.wasNamed("A b")) var a_b2: String?"#,
    ] {
      #expect(source.split(separator: "\n").contains(Substring(line)), "\(source)")
    }
  }
}
