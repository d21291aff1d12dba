import Foundation
import MagicData
import MagicDataPostgres
import Testing
import ToolTestSupport

/// The commands that read a database on a server.
@Suite(
  .serialized,
  .enabled(
    if: ThrowawayServer.isTested, "PostgreSQL is not installed. Run: Tools/setup postgres"))
struct ServerCommandTests {
  private final class Harbour: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var name: String
    @MagicValue(.indexed) var depth: Int = 0
    @OptionMagicValue(.unique) var key: UUID?
    @OptionMagicValue var isOpen: Bool?
    @OptionMagicValue var home: Harbour?
    @MagicValue var routes: [Harbour] = []
    @MagicValue var partners: MagicalSet<Harbour> = []
    @MagicValue var berths: [String: Harbour] = [:]

    init() {}
    init(_ name: String, depth: Int) {
      self.name = name
      self.depth = depth
    }
  }

  private final class Chart: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var name: String
    @MagicValue var text: String
    @MagicValue var image: Data
    @MagicValue var depths: [Int: Harbour] = [:]
    @MagicValue var owners: [UUID: Harbour] = [:]
    @MagicValue var heights: [Double: Harbour] = [:]

    init() {}
    init(_ name: String, text: String, image: Data) {
      self.name = name
      self.text = text
      self.image = image
    }
  }

  private static let key = UUID()

  private func withHarbours(_ body: (String) async throws -> Void) async throws {
    let server = try await ThrowawayServer.started()
    let magic = try await MagicData(postgres: server.address)
    let bergen = Harbour("Bergen", depth: 11)
    let turku = Harbour("Turku", depth: 9)
    turku.key = Self.key
    turku.isOpen = true
    turku.home = bergen
    turku.routes = [bergen, turku, bergen]
    turku.partners = [bergen]
    turku.berths = ["north": bergen]
    try await magic.update(contentsOf: [bergen, turku])
    try await magic.update(contentsOf: (0..<3).map { Harbour("pier \($0)", depth: 2) })
    await magic.close()
    try await body(server.address)
    withExtendedLifetime(server) {}
  }

  @Test func anObjectIsATree() async throws {
    try await withHarbours { address in
      let run = await magic("show", address, "Harbour", "Turku")
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.lines.first?.hasPrefix("Harbour #") == true)
      #expect(run.lines.first?.hasSuffix("  Turku") == true)
      #expect(run.lines.contains { $0.hasPrefix("isOpen") && $0.hasSuffix("true") })
      #expect(run.lines.contains { $0.hasPrefix("home") && $0.hasSuffix("  Bergen") })
      #expect(run.lines.contains { $0.hasPrefix("routes") && $0.hasSuffix("3 objects") })
      #expect(run.lines.contains { $0.hasPrefix("  north: Harbour #") })
      #expect(run.output.contains("referred to by\n"))
      let routes = run.lines.drop { !$0.hasPrefix("routes") }.dropFirst().prefix(3)
      #expect(routes.map { $0.split(separator: " ").last } == ["Bergen", "Turku", "Bergen"])
      for name in ["#1", Self.key.uuidString, "turku"] {
        let status = await magic("show", address, "Harbour", name).status
        #expect(status == (name == "turku" ? 4 : 0), "\(name)")
      }
      let other = await magic("show", address, "Harbour", "Turku", "--depth", "3", "--json")
      let object = try #require(try other.json() as? [String: Any])
      let relationships = try #require(object["relationships"] as? [String: Any])
      #expect((relationships["home"] as? [String: Any])?["values"] is [String: Any])
      #expect(await magic("show", address, "Ship", "#1").status == 4)
    }
  }

  @Test func theBeginningOfAValueIsShownAsThatOfAFile() async throws {
    // The text before a part that is repeated, and the number of its repetitions.
    let texts = [
      ("", "", 0), ("short", "", 1), ("", "é", 3_000), ("", "a\u{1}", 4_095), ("", "\u{2}", 9_000),
      ("b", "é\u{3}\u{0}", 1_365), ("", "😀", 2_000), ("a", "😀", 2_000), ("ab", "€", 2_000),
    ].map { first, part, count in first + String(repeating: part, count: count) }
    try await withDirectory { directory in
      let server = try await ThrowawayServer.started()
      let path = directory.appendingPathComponent("charts.sqlite3").path
      let databases = [
        try await MagicData(postgres: server.address), try await MagicData(path: path),
      ]
      var rows: [[Int64]] = []
      for magic in databases {
        let charts = texts.enumerated().map { index, text in
          Chart(
            "north \(index)", text: text, image: Data(repeating: 7, count: text.utf8.count * 1_000))
        }
        rows.append(try await magic.update(contentsOf: charts).map(\.rawValue))
        await magic.close()
      }
      for index in texts.indices {
        var shown: [Run] = []
        for arguments in [[], ["--json"]] {
          for (place, rows) in zip([server.address, path], rows) {
            shown.append(await magic(["show", place, "Chart", "#\(rows[index])"] + arguments))
          }
        }
        #expect(shown.allSatisfy { $0.status == 0 }, "\(shown.map(\.messages))")
        for name in ["text", "image"] {
          let lines = shown.prefix(2).map { run in run.lines.first { $0.hasPrefix(name) } }
          #expect(lines[0] == lines[1])
          let values = try shown.suffix(2).map { run in
            let object = try #require(try run.json() as? [String: Any])
            return (object["values"] as? [String: Any])?[name] as? String
          }
          #expect(values[0] == values[1])
          #expect(values[0]?.contains("\u{FFFD}") == false)
          #expect(try #require(values[0]).utf8.count < 6_000)
        }
      }
    }
  }

  @Test func theKeysOfADictionaryHaveTheTypeOfTheirColumn() async throws {
    let server = try await ThrowawayServer.started()
    let database = try await MagicData(postgres: server.address)
    let chart = Chart("north", text: "", image: Data())
    chart.depths = [12: Harbour("Bergen", depth: 11)]
    chart.owners = [Self.key: Harbour("Turku", depth: 9)]
    chart.heights = [1.5: Harbour("Narvik", depth: 7)]
    try await database.update(chart)
    await database.close()
    let source = await magic("schema", server.address, "--swift")
    for declaration in [
      "  @MagicValue var depths: [Int: Harbour] = [:]",
      "  @MagicValue var heights: [Double: Harbour] = [:]",
      "  @MagicValue var owners: [UUID: Harbour] = [:]",
    ] {
      #expect(source.lines.contains { $0 == declaration }, "\(declaration)")
    }
    let run = await magic("show", server.address, "Chart", "north", "--json")
    let object = try #require(try run.json() as? [String: Any])
    let relationships = try #require(object["relationships"] as? [String: [String: Any]])
    let members = try #require(relationships["depths"]?["members"] as? [[String: Any]])
    #expect(members.first?["key"] as? Int == 12)
  }

  @Test func aColumnThatIsAddedToAJoinTableRepeatsNoRelationship() async throws {
    try await withHarbours { address in
      let database = try await MagicData(postgres: address)
      for (property, column) in [("routes", "key"), ("berths", "position")] {
        let table = try await database.sql(
          "SELECT join_table FROM magic_relationships WHERE property = \(property)"
        ).rows(String.self)
        let name = try #require(table.first)
        try await database.sql(
          MagicSQL(stringLiteral: "ALTER TABLE \"\(name)\" ADD COLUMN \(column) text")
        ).run()
      }
      await database.close()
      let run = await magic("show", address, "Harbour", "Turku")
      #expect(run.lines.count { $0.hasPrefix("routes") } == 1, "\(run.messages)")
      #expect(run.lines.count { $0.hasPrefix("berths") } == 1)
      #expect(run.lines.contains { $0.hasPrefix("  north: Harbour #") })
    }
  }

  @Test func theTypesAreDiagramsAndSource() async throws {
    try await withHarbours { address in
      let diagram = await magic("schema", address)
      #expect(diagram.status == 0, "\(diagram.messages)")
      #expect(diagram.lines.contains("    text name UK"))
      #expect(diagram.lines.contains("    uuid key UK"))
      #expect(diagram.lines.contains("  t0 }o--o| t0 : \"home\""))
      #expect(diagram.lines.contains("  t0 }o--o{ t0 : \"partners\""))
      #expect(await magic("schema", address, "--svg").output.contains("<svg"))
      let source = await magic("schema", address, "--swift")
      for declaration in [
        "struct Harbour: MagicObject {", "  @OptionMagicValue var home: Harbour?",
        "  @MagicValue var routes: [Harbour] = []",
        "  @MagicValue var partners: MagicalSet<Harbour> = []",
        "  @MagicValue var berths: [String: Harbour] = [:]",
      ] {
        #expect(source.lines.contains { $0 == declaration }, "\(declaration)")
      }
      let sql = await magic("schema", address, "--sql")
      #expect(sql.status == 64)
      #expect(sql.messages.contains("pg_dump"))
    }
  }

  @Test func statementsHaveParametersAndPlans() async throws {
    try await withHarbours { address in
      let named = await magic(
        "query", address, "SELECT name FROM \"Harbour\" WHERE depth > :depth AND name <> $other",
        "-p", "depth=8", "-p", "other=Turku", "--csv")
      #expect(named.status == 0, "\(named.messages)")
      #expect(named.lines == ["name", "Bergen"])
      let empty = await magic(
        "query", address, "SELECT name FROM \"Harbour\" WHERE depth > :depth::bigint", "-p",
        "depth=99", "--csv")
      #expect(empty.lines == ["name"])
      let plan = await magic(
        "query", address, "SELECT name FROM \"Harbour\" WHERE name = :name", "-p", "name=Turku",
        "--explain")
      #expect(plan.status == 0, "\(plan.messages)")
      #expect(plan.output.contains("Index"))
      let scan = await magic(
        "query", address, "SELECT name FROM \"Harbour\" WHERE name LIKE '%u%'", "--explain",
        "--json")
      let steps = try #require(try scan.json() as? [[String: Any]])
      #expect(steps.contains { ($0["step"] as? String)?.contains("Harbour") ?? false })
    }
  }

  /// The arguments of a query, and what is wrong with them. A file has the same message.
  @Test(arguments: [
    (["SELECT :depth"], "The parameter depth has no value."),
    (["SELECT @a, $b", "-p", "b=1"], "The parameter a has no value."),
    (["SELECT :a, ?", "-p", "a=1"], "The parameter 2 has no value."),
    (["SELECT 1", "-p", "depth=1"], "The SQL has no parameter depth."),
    (["SELECT ?", "-p", "1=1", "-p", "2=2", "-p", "3=3"], "The SQL has no parameter 2."),
    (["SELECT ?2, ?1, ?", "-p", "1=1", "-p", "2=2"], "The parameter 3 has no value."),
    (["SELECT :2, ?, ?", "-p", "2=2"], "The parameter 3 has no value."),
    (["SELECT :2, ?, ?", "-p", "2=2", "-p", "3=3", "-p", "4=4"], "The SQL has no parameter 4."),
  ])
  func aParameterNeedsAValueAndAValueAParameter(_ query: [String], _ message: String) async throws {
    let server = try await ThrowawayServer.started()
    let database = try await MagicData(postgres: server.address)
    try await database.update(Harbour("Bergen", depth: 11))
    await database.close()
    try await withDirectory { directory in
      for place in [server.address, try Fixture.columns.copy(to: directory)] {
        let run = await magic(["query", place] + query)
        #expect(run.status == 64)
        #expect(run.messages == "magic: \(message)\n")
      }
    }
  }

  @Test func parametersWithoutNamesHaveNumbers() async throws {
    try await withHarbours { address in
      for (sql, line) in [
        ("SELECT ? AS a, '?' AS b, ?::text AS c", "1,?,2"), ("SELECT ?2 AS a, ?1 AS b", "2,1"),
        ("SELECT @1 AS a, ? AS b", "1,2"), ("SELECT :2 AS a, ? AS b, @1 AS c", "2,2,1"),
        ("SELECT (ARRAY[?, 5])[2]::text AS a, ?::text AS b", "5,2"),
        ("SELECT (ARRAY[:2::text, $$:a ?$$])[1:2] = ARRAY[$2, E'\\:a ?'] AS a, @1 AS b", "1,1"),
      ] {
        let run = await magic("query", address, sql, "-p", "1=1", "-p", "2='2'", "--csv")
        #expect(run.lines.last.map(String.init) == line, "\(run.messages)")
      }
      let null = await magic(
        "query", address, "SELECT name FROM \"Harbour\" WHERE :least IS NULL OR depth > :least",
        "-p", "least=NULL", "--csv")
      #expect(null.lines.count == 6, "\(null.messages)")
      for sql in [
        "SELECT FROM WHERE", "SELECT ?9223372036854775807, ?", "SELECT ?0", "SELECT ?32766, ?",
        "SELECT ?99999999999999999999",
      ] {
        let invalid = await magic("query", address, sql, "-p", "1=1")
        #expect(invalid.status == 64, "\(sql)")
      }
    }
  }

  @Test func aDatabaseIsVerifiedAndExported() async throws {
    try await withHarbours { address in
      #expect(await magic("verify", address).output == "No faults.\n")
      #expect(await magic("inspect", address).output.contains("Harbour"))
      let folder = FileManager.default.temporaryDirectory.path + "/export-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let exported = await magic("export", address, folder)
      #expect(exported.status == 0, "\(exported.messages)")
      #expect(exported.output.contains("5 rows, 5 members"))
      let imported = await magic("import", folder, address, "--schema", "other")
      #expect(imported.status == 0, "\(imported.messages)")
      let names = await magic(
        "query", address, "SELECT name FROM \"Harbour\" ORDER BY depth DESC LIMIT 1", "--schema",
        "other", "--csv")
      #expect(names.lines == ["name", "Bergen"])
    }
  }
}
