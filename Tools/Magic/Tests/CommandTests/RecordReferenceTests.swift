import Foundation
import MagicData
import ToolTestSupport
import Testing

/// References to later records, values that only their program can decode, and keys of documents, in records
/// that are imported without the types.
@Suite struct RecordReferenceTests {
  struct Origin: MagicalCodable, Equatable {
    var place: String
    var year: Double
  }

  final class Guest: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var id: String
    @MagicValue var origin: Origin = Origin(place: "", year: 0)
    @OptionMagicValue var host: Guest?
    @OptionMagicValue var partner: Guest?
    @OptionMagicValue var past: [Origin]?
    @MagicVersion var version: Int

    init() {}
    init(_ id: String) { self.id = id }
  }

  /// Each of them refers to one.
  final class Ring: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var number: Int
    @MagicValue(.unique) var next: Ring

    init() {}
  }

  private func withFile(
    _ name: String, _ text: String,
    _ body: (_ file: String, _ database: String) async throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let database = directory.appendingPathComponent("a.sqlite3").path
      try await reading(database) { magic in
        let ring = Ring()
        ring.next = ring
        try await magic.update(ring)
        try await magic.update(Guest("stored"))
      }
      let file = directory.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      try await body(file.path, database)
    }
  }

  private func reading(_ path: String, _ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: path)
    do {
      try await body(magic)
      #expect(try await magic.verify().isSound)
    } catch {
      await magic.close()
      throw error
    }
    await magic.close()
  }

  /// The guests as `id host partner version`.
  private func guests(_ database: String) async -> [Substring] {
    await magic(
      "query", database,
      """
      SELECT g.id || ' ' || ifnull(h.id, '-') || ' ' || ifnull(p.id, '-') || ' ' || g.version AS g
      FROM Guest g LEFT JOIN Guest h ON h.z_index = g.host
      LEFT JOIN Guest p ON p.z_index = g.partner WHERE g.id <> 'stored' ORDER BY g.id
      """, "--csv"
    ).lines.dropFirst().map { $0 }
  }

  /// The number of guests that are not the first one.
  private func count(_ database: String) async -> Substring? {
    await magic("query", database, "SELECT count(*) - 1 AS n FROM Guest", "--csv").lines.last
  }

  private static let origin = #""origin":{"place":"Oslo","year":1990}"#

  private static func line(_ id: String, _ rest: String) -> String {
    #"{"id":"\#(id)",\#(origin)\#(rest.isEmpty ? "" : ",")\#(rest)}"# + "\n"
  }

  // MARK: References

  @Test func referencesToLaterRecordsAreSet() async throws {
    let text =
      Self.line("a", #""host":{"$ref":"b"},"partner":"d""#) + Self.line("b", #""host":"c""#)
      + Self.line("c", #""host":"a","partner":{"$ref":"c"}"#)
      + Self.line("d", #""host":"stored","partner":"a""#)
    try await withFile("Guest.jsonl", text) { file, database in
      for options in [["--plan"], []] {
        let run = await magic(["import", file, database] + options)
        #expect(run.status == 0, "\(run)")
      }
      #expect(await guests(database) == ["a b d 1", "b c - 1", "c a c 1", "d stored a 1"])
      try await reading(database) { magic in
        let guest = try await magic.object(of: Guest.self, primary: "a")
        #expect(guest.host?.id == "b")
      }
    }
  }

  @Test func referencesThatAreNotOptionalAreSet() async throws {
    let text = "number,next\n10,11\n11,12\n12,10\n1,11\n"
    try await withFile("Ring.csv", text) { file, database in
      // Two rings would have the same next one.
      let clash = await magic("import", file, database)
      #expect(clash.status != 0 && clash.messages.contains("line 2, record 1, column"), "\(clash)")
      try Data("number,next\n10,11\n11,12\n12,10\n".utf8).write(to: URL(fileURLWithPath: file))
      let run = await magic("import", file, database)
      #expect(run.status == 0, "\(run)")
      try await reading(database) { magic in
        let all = try await magic.query(Ring.self).order(by: \.$number).all()
        #expect(all.map(\.number) == [1, 10, 11, 12])
        #expect(all.map(\.next.number) == [1, 11, 12, 10])
      }
    }
  }

  @Test func aLaterRecordReplacesAReferenceOfAnEarlierOne() async throws {
    let text =
      Self.line("a", #""host":"z","partner":"z""#) + #"{"id":"a","host":null}"# + "\n"
      + Self.line("z", "") + #"{"id":"stored","host":"y"}"# + "\n" + Self.line("y", "")
    try await withFile("Guest.jsonl", text) { file, database in
      #expect(await magic("import", file, database).status == 0)
      #expect(await guests(database) == ["a - z 2", "y - - 1", "z - - 1"])
      try await reading(database) { magic in
        let stored = try await magic.object(of: Guest.self, primary: "stored")
        #expect(stored.host?.id == "y" && stored.version == 2)
      }
    }
  }

  @Test func aReferenceToNoRecordIsAnErrorOfItsRecord() async throws {
    let text =
      Self.line("a", #""host":"b""#) + Self.line("b", #""host":"y","partner":"no""#)
      + Self.line("c", #""host":"a","origin":1"#) + Self.line("d", #""partner":"c""#)
    try await withFile("Guest.jsonl", text) { file, database in
      let plan = await magic("import", file, database, "--plan")
      #expect(plan.status == 1, "\(plan)")
      #expect(plan.lines.contains("Guest: 1 records can be imported, 3 have errors."), "\(plan)")
      #expect(plan.output.contains("line 2, record 2, column host: there is no object"))
      #expect(plan.output.contains("line 4, record 4, column partner: there is no object"))
      try Data((Self.line("a", #""host":"b""#) + Self.line("b", #""host":"x""#)).utf8).write(
        to: URL(fileURLWithPath: file))
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains("line 2, record 2, column host"), "\(run)")
      #expect(await guests(database) == [])
    }
  }

  @Test func aBatchHasTheObjectsOfItsReferences() async throws {
    func text(_ references: [Int: Int]) -> String {
      (1...1_500).map { number in
        Self.line("\(number)", references[number].map { #""host":"\#($0)""# } ?? "")
      }.joined()
    }
    try await withFile("Guest.jsonl", text([10: 20, 1_400: 1_450, 1_300: 3])) { file, database in
      let run = await magic("import", file, database, "--batches")
      #expect(run.status == 0, "\(run)")
      let hosts = await magic(
        "query", database, "SELECT count(*) AS n FROM Guest WHERE host IS NOT NULL", "--csv")
      #expect(hosts.lines == ["n", "3"])
    }
    try await withFile("Guest.jsonl", text([10: 20, 1_100: 1_600])) { file, database in
      let run = await magic("import", file, database, "--batches")
      #expect(run.status != 0 && run.messages.contains("line 1100, record 1100, column host"))
      #expect(run.messages.contains("--resume 1001"), "\(run)")
      #expect(await count(database) == "1000")
    }
    try await withFile("Guest.jsonl", text([10: 1_200])) { file, database in
      let run = await magic("import", file, database, "--batches")
      #expect(run.status != 0 && run.messages.contains("line 10, record 10, column host"))
      #expect(await count(database) == "0")
      #expect(await magic("import", file, database).status == 0)
      #expect(await count(database) == "1500")
    }
  }

  // MARK: Values

  @Test func aCodableValueIsStoredAsItIsGiven() async throws {
    let json = #"{ "place" : "Os\u006co",  "year":1.99e3, "more":[ 1 ]}"#
    let field = "\"" + json.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    for (name, text) in [
      ("Guest.jsonl", #"{"id":"a","origin":\#(json),"past":[\#(json)]}"#),
      ("Guest.csv", "id,origin,past\na,\(field),\n"),
    ] {
      try await withFile(name, text) { file, database in
        let run = await magic("import", file, database)
        #expect(run.status == 0, "\(run)")
        let rows = await magic(
          "query", database, "SELECT hex(origin) AS h FROM Guest WHERE id = 'a'", "--csv")
        let hex = json.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(rows.lines == ["h", Substring(hex.joined().uppercased())])
        try await reading(database) { magic in
          let guest = try await magic.object(of: Guest.self, primary: "a")
          #expect(guest.origin == Origin(place: "Oslo", year: 1_990))
          #expect(guest.past?.count == (name.hasSuffix("csv") ? nil : 1))
        }
      }
    }
  }

  @Test(arguments: ["tru", "{\"place\":x}", "[1,]"])
  func aValueThatIsNotJSONIsRefused(_ json: String) async throws {
    let text = "{\"id\":\"a\",\"origin\":[\(json)]}"
    try await withFile("Guest.jsonl", text) { file, database in
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains("line 1, record 1, column origin"), "\(run)")
      #expect(await guests(database) == [])
    }
  }

  @Test(arguments: [
    (#"{"$ref":"stored"}"#, "a record is a reference"),
    (#"{"id":"a","$id":"1"}"#, #"the key "$id" has no meaning here"#),
    (#"{"id":"stored","$type":"Guest"}"#, #"the key "$type" has no meaning here"#),
  ])
  func keysOfDocumentsAreRefused(_ text: String, _ reason: String) async throws {
    try await withFile("Guest.jsonl", text) { file, database in
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains(reason), "\(run)")
      let plan = await magic("import", file, database, "--plan")
      #expect(plan.status == 1 && plan.output.contains(reason), "\(plan)")
    }
  }
}
