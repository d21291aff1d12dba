import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The examples of the article about exports.
@Suite struct DocumentedExports {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String

    init() {}
    init(name: String) { self.name = name }
  }

  @Test func aDatabaseIsExportedAndImported() async throws {
    let directory = try TemporaryDirectory()
    let (path, folder) = (directory.file("a.sqlite3").path, directory.file("people").path)
    let otherPath = directory.file("b.sqlite3").path
    let magic = try await MagicData(path: path)
    try await magic.update(Person(name: "Ada"))
    await magic.close()

    let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
    print("\(exported.rows) rows, \(exported.assets) assets")
    try await MagicData.copy(from: .folder(folder), to: .file(otherPath))

    #expect(exported.rows == 1)
    let other = try await MagicData(path: otherPath)
    #expect(try await other.object(of: Person.self).map(\.name) == ["Ada"])
    await other.close()
    try await copyAll(otherPath, directory.file("second").path, directory.file("c.sqlite3").path)
  }

  @Test func aDatabaseIsWrittenAsCSVAndSQL() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.sqlite3").path
    let (tables, script) = (directory.file("tables").path, directory.file("script").path)
    let magic = try await MagicData(path: path)
    try await magic.update(Person(name: "Ada"))
    await magic.close()

    try await MagicData.copy(from: .file(path), to: .csv(tables))
    try await MagicData.copy(from: .file(path), to: .sql(script))

    let csv = try String(contentsOfFile: tables + "/Person.csv", encoding: .utf8)
    #expect(csv.hasPrefix("z_index,id,name\n") && csv.hasSuffix(",Ada\n"))
    let sql = try String(contentsOfFile: script + "/database.sql", encoding: .utf8)
    #expect(sql.contains("INSERT INTO \"Person\" VALUES (1, '") && sql.hasSuffix("COMMIT;\n"))
  }

  struct Guest: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue(.named(json: "full_name")) var name: String
    @OptionMagicValue var born: Date?
    @MagicValue var friends: [Guest] = []

    init() {}
  }

  private func response(_ magic: MagicData) async throws -> MagicJSON {
    let guests = try await magic.query(Guest.self).order(by: \.$name).all()
    return try await magic.json(contentsOf: guests)
  }

  @Test func objectsAreDocuments() async throws {
    let magic = try await MagicData(type: .temporary)
    let other = try await MagicData(type: .temporary)
    let body = Data(
      #"{"id":"A1","full_name":"Ann","friends":[{"id":"B2","full_name":"Ben"}]}"#.utf8)

    let guest = try await magic.update(json: MagicJSON(body), as: Guest.self)
    print(try await magic.json(of: guest))
    // {"id":"A1","full_name":"Ann","born":null,"friends":[{"$ref":"B2"}]}
    let graph = try await magic.json(of: guest, depth: .graph)
    try await other.update(json: graph, as: Guest.self)

    #expect(
      try await magic.json(of: guest).text
        == #"{"id":"A1","full_name":"Ann","born":null,"friends":[{"$ref":"B2"}]}"#)
    #expect(try await other.object(of: Guest.self).map(\.name) == ["Ann", "Ben"])
    #expect(try await response(magic).text.hasPrefix(#"[{"id":"A1","#))

    do {
      try await magic.update(json: MagicJSON(#"{"name":"Cy"}"#), as: Guest.self)
    } catch let error as MagicError {
      guard let fault = error.cause as? MagicJSONError else { throw error }
      print(fault.reason, fault.path)  // unknownKey $.name
      #expect(fault.description == "unknownKey at $.name")
    }
    for magic in [magic, other] { await magic.close() }
  }

  @Test func aFileOfAnotherProgramIsImported() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("guests.csv").path
    try "id;Name;Born;Note\na;Ann;31/12/1999;\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let magic = try await MagicData(type: .temporary)

    var guests = MagicImport(Guest.self, from: path)
    guests.property = { column in
      switch column {
      case "Name": "name"
      case "Born": "born"
      case "Note": nil
      default: column
      }
    }
    guests.dates = .format("dd/MM/yyyy")
    print(try await magic.importPlan(for: guests))
    let imported = try await magic.importObjects(guests) { print("\($0.fraction * 100)%") }

    #expect(imported.records == 1)
    #expect(try await magic.object(of: Guest.self).map(\.name) == ["Ann"])
    await magic.close()
  }

  /// The example of the call.
  private func copyAll(_ path: String, _ folder: String, _ otherPath: String) async throws {
    let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
    print(exported.rows, exported.assets)
    try await MagicData.copy(from: .folder(folder), to: .file(otherPath))
  }
}
