import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing

/// Stores of Core Data.
@Suite struct CoreDataCommandTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("store-\(UUID().uuidString)")

  private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  private static let model = """
    <model><entity name="Folder"><relationship name="notes" toMany="YES" \
    destinationEntity="Note" inverseName="folder"/></entity><entity name="Note">\
    <attribute name="text" attributeType="String"/><relationship name="folder" optional="YES" \
    maxCount="1" destinationEntity="Folder" inverseName="notes"/></entity></model>
    """

  /// Makes a store that contains no model, and a model next to it.
  private func makeStore() throws {
    let model = directory.appendingPathComponent("Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
    let connection = try SQLiteConnection(path: path("default.store"))
    defer { connection.close() }
    for sql in [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 1), (2, 'Note', 0, 2)",
      "CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)",
      "INSERT INTO ZFOLDER VALUES (1, 1)",
      "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZFOLDER INTEGER, ZTEXT VARCHAR)",
      "INSERT INTO ZNOTE VALUES (1, 2, 1, 'Buy milk'), (2, 2, 9, 'Call Ada')",
    ] {
      try connection.execute(sql)
    }
  }

  @Test func aStoreIsPlannedAndImported() async throws {
    try makeStore()
    defer { try? FileManager.default.removeItem(at: directory) }
    let options = ["--model", path("Notes.xcdatamodel"), "--name", "Note.text=body"]
    let arguments = ["import", path("default.store"), path("notes.sqlite3")] + options
    let plan = await magic(arguments + ["--plan"])
    #expect(plan.status == 0)
    #expect(plan.lines.contains("Note → Note: 2 rows"))
    #expect(plan.lines.contains("  text → body"))
    #expect(plan.output.contains("lost: Note.folder: ") && plan.output.contains("(1 rows)"))
    #expect(!FileManager.default.fileExists(atPath: path("notes.sqlite3")))

    #expect(await magic(arguments).status == 0)
    let bodies = await magic("query", path("notes.sqlite3"), "SELECT body FROM Note", "--csv")
    #expect(bodies.lines == ["body", "Buy milk", "Call Ada"])
    // Without the model, the store cannot be imported.
    #expect(await magic("import", path("default.store"), path("b.sqlite3")).status == 2)
    #expect(await magic("import", directory.path, path("b.sqlite3"), "--plan").status != 0)
    #expect(await magic(arguments.dropLast() + ["no mapping"]).status != 0)
  }

  struct Folder: MagicObject {
    @MagicValue var notes: [Note] = []

    init() {}
  }

  struct Note: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.wasNamed("text")) var body: String

    init() {}
  }

  enum Tool: MagicTool {
    static let types: [any MagicObject.Type] = [Folder.self, Note.self]
  }

  @Test func aToolWithTypesImportsTheObjectsIntoThem() async throws {
    try makeStore()
    defer { try? FileManager.default.removeItem(at: directory) }
    let arguments = [
      "import", path("default.store"), path("notes.sqlite3"), "--model", path("Notes.xcdatamodel"),
      "--allow-loss",
    ]
    let plan = await magic(arguments + ["--plan"], tool: Tool.self)
    #expect(plan.status == 0 && plan.lines.contains("  text → body"), "\(plan)")
    #expect(plan.lines.contains("  notes (Note) → notes"))
    let run = await magic(arguments, tool: Tool.self)
    #expect(run.status == 0, "\(run)")
    let magic = try await MagicData(path: path("notes.sqlite3"))
    #expect(try await magic.object(of: Folder.self).first?.notes.map(\.body) == ["Buy milk"])
    #expect(try await magic.object(of: Note.self).map(\.id) == [1, 2])
    await magic.close()
  }

  enum UnrelatedTool: MagicTool {
    static let types: [any MagicObject.Type] = [OriginalCommandTests.Artist.self]
  }

  @Test func aTypeWithoutAnEntityIsRefused() async throws {
    try makeStore()
    defer { try? FileManager.default.removeItem(at: directory) }
    let arguments = [
      "import", path("default.store"), path("notes.sqlite3"), "--model", path("Notes.xcdatamodel"),
    ]
    let plan = await magic(arguments + ["--plan"], tool: UnrelatedTool.self)
    #expect(plan.status == 1, "\(plan)")
    #expect(plan.lines.contains { $0.hasPrefix("refused: Artist: ") }, "\(plan)")
    let run = await magic(arguments, tool: UnrelatedTool.self)
    #expect(run.status != 0 && run.messages.contains("no entity with the name"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: path("notes.sqlite3")))
  }

  /// A note without its folder.
  struct Memo: MagicObject {
    static var tableName: String { "Note" }
    @PrimaryMagicValue var id: Int
    @MagicValue var body: String = ""

    init() {}
  }

  enum SmallTool: MagicTool {
    static let types: [any MagicObject.Type] = [Memo.self]
  }

  @Test func anEntityWithoutATypeIsLeftOutIfThatIsAllowed() async throws {
    try makeStore()
    defer { try? FileManager.default.removeItem(at: directory) }
    let arguments = [
      "import", path("default.store"), path("notes.sqlite3"), "--model", path("Notes.xcdatamodel"),
      "--name", "Note.text=body",
    ]
    #expect(await magic(arguments + ["--plan"], tool: SmallTool.self).status == 1)
    let refused = await magic(arguments, tool: SmallTool.self)
    #expect(refused.status == 1 && refused.messages.contains("Folder"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: path("notes.sqlite3")))
    let run = await magic(arguments + ["--allow-loss"], tool: SmallTool.self)
    #expect(run.status == 0, "\(run)")
    let magic = try await MagicData(path: path("notes.sqlite3"))
    #expect(try await magic.object(of: Memo.self).map(\.body).contains("Buy milk"))
    await magic.close()
  }

  @Test func aDatabaseOfThisLibraryNamesTheCommandThatCopiesIt() async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let own = try await MagicData(path: path("own.sqlite3"))
    let note = Note()
    note.body = "Buy milk"
    try await own.update(note)
    await own.close()
    let run = await magic("import", path("own.sqlite3"), path("new.sqlite3"))
    #expect(run.status != 0 && run.messages.contains("`magic backup`"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: path("new.sqlite3")))
  }

  @Test func aModelHasSwiftSource() async throws {
    try makeStore()
    defer { try? FileManager.default.removeItem(at: directory) }
    let source = await magic("schema", path("Notes.xcdatamodel"), "--swift")
    #expect(source.status == 0)
    #expect(source.lines.contains("  @MagicValue var text: String"))
    #expect(source.lines.contains("  @OptionMagicValue var folder: Folder?"))
  }
}
