import Foundation
import MagicData
import Testing

/// Databases as folders of text files.
@Suite struct ExportCommandTests {
  private final class Town: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var name: String
    @MagicValue var twins: [Town] = []

    init() {}
    init(_ name: String) { self.name = name }
  }

  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("export-\(UUID().uuidString)")

  private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  @Test func aDatabaseIsExportedAndImported() async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await MagicData(path: path("a.sqlite3"))
    let oslo = Town("Oslo")
    oslo.twins = [Town("Turku")]
    try await database.update(oslo)
    await database.close()

    let exported = await magic("export", path("a.sqlite3"), path("towns"))
    #expect(exported.status == 0)
    #expect(exported.output.contains("2 rows, 1 member"))
    let imported = await magic("import", path("towns"), path("b.sqlite3"), "--json")
    #expect(imported.status == 0)
    let json = try #require(try imported.json() as? [String: Any])
    #expect(json["rows"] as? Int == 2 && json["members"] as? Int == 1)
    let names = await magic("query", path("b.sqlite3"), "SELECT name FROM Town", "--csv")
    #expect(names.lines == ["name", "Oslo", "Turku"])

    #expect(await magic("export", path("a.sqlite3"), path("towns")).status != 0)
    #expect(await magic("import", path("towns"), path("b.sqlite3")).status != 0)
    #expect(await magic("import", path("a.sqlite3"), path("c.sqlite3")).status == 2)
    #expect(await magic("import", path("missing"), path("c.sqlite3")).status == 2)
    #expect(await magic("export", path("missing"), path("other")).status == 2)
    let line = "{\"z_index\":\n"
    try line.write(toFile: path("towns/Town.jsonl"), atomically: true, encoding: .utf8)
    let bad = await magic("import", path("towns"), path("c.sqlite3"))
    #expect(bad.status != 0)
    #expect(bad.messages.contains("Line 1 of the file Town.jsonl"))
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(left.filter { $0.contains("c.sqlite3") || $0.contains("other") } == [])
  }

  @Test func aDatabaseIsExportedForOtherPrograms() async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await MagicData(path: path("a.sqlite3"))
    try await database.update(Town("Oslo, \"it's\""))
    await database.close()

    let csv = await magic("export", path("a.sqlite3"), path("csv"), "--csv")
    #expect(csv.status == 0 && !csv.output.contains("compared"))
    let table = try String(contentsOfFile: path("csv/Town.csv"), encoding: .utf8)
    #expect(table == "z_index,name\n1,\"Oslo, \"\"it's\"\"\"\n")
    let sql = await magic("export", path("a.sqlite3"), path("sql"), "--sql", "--json")
    let json = try #require(try sql.json() as? [String: Any])
    #expect(json["rows"] as? Int == 1 && json["isEqual"] is NSNull)
    let text = try String(contentsOfFile: path("sql/database.sql"), encoding: .utf8)
    #expect(text.contains("INSERT INTO \"Town\" VALUES (1, 'Oslo, \"it''s\"');\n"))
    #expect(await magic("export", path("a.sqlite3"), path("x"), "--csv", "--sql").status == 64)
    #expect(await magic("import", path("csv"), path("b.sqlite3")).status != 0)
  }
}
