import Foundation
import MagicBrowser
import MagicData
import MagicDataPostgres
import MagicInspection
import Testing
import ToolTestSupport

private final class Ship: MagicObject, Hashable, @unchecked Sendable {
  enum Flag: String, Magical, CaseIterable { case norway, finland, sweden }

  @PrimaryMagicValue var code: String
  @MagicValue var name: String
  @MagicValue var flag = Flag.norway
  @OptionMagicValue(.indexed) var launched: Date?
  @OptionMagicValue var length: Double?
  @OptionMagicValue var isSold: Bool?
  @OptionMagicValue(.unique) var key: UUID?
  @MagicValue var price: Decimal = 0
  @MagicValue var tags: [String] = []
  @OptionMagicValue(.unique, .compared(.caseInsensitive)) var mail: String?
  @MagicValue(.named("Odd \"?\" :name")) var odd: Int = 0
  @MagicValue var log: String = ""
  @MagicValue var notes: [String: String] = [:]
  @OptionMagicValue var picture: MagicAsset<Data>?
  @OptionMagicValue var flagship: Ship?
  @MagicValue var fleet: [Ship] = []
  @MagicValue var partners: MagicalSet<Ship> = []
  @MagicValue var berths: [UUID: Ship] = [:]
  @ReverseMagicValue(\Ship.$flagship) var squadron: AsyncReverseMagicSet<Ship>

  init() {}
  init(_ code: String, _ name: String) { (self.code, self.name) = (code, name) }

  static func == (left: Ship, right: Ship) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private struct Entry: MagicObject {
  @MagicValue var kind: Int = 0
  init() {}
}

private struct Harbour: MagicObject {
  @PrimaryMagicValue var name: String
  init() {}
}

private struct Boat: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var harbour: Harbour?
  @MagicValue var visited: [Harbour] = []
  init() {}
}

/// The pages and reports of a database on a server, which are those of the same database in a file.
@Suite(
  .serialized,
  .enabled(
    if: ThrowawayServer.isTested, "PostgreSQL is not installed. Run: Tools/setup postgres"))
struct ServerPageTests {
  private static let keys = [UUID(), UUID()]
  /// The first bytes are the signature of PNG.
  private static let picture =
    Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 300_000)

  private static func fill(_ magic: MagicData) async throws {
    let ships = (0..<60).map { Ship("S\($0 < 10 ? "0" : "")\($0)", "ship \($0 % 7)") }
    for (number, ship) in ships.enumerated() where number % 3 != 0 {
      ship.launched = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
      ship.length = Double(number) / 4
      ship.isSold = number % 2 == 0
      ship.flag = Ship.Flag.allCases[number % 3]
      ship.price = Decimal(number) / 8
      ship.tags = ["tag \(number)"]
    }
    (ships[1].key, ships[2].key) = (keys[0], keys[1])
    ships[1].picture = MagicAsset(value: picture)
    ships[2].flagship = ships[1]
    ships[3].flagship = ships[1]
    ships[1].fleet = [ships[2], ships[3], ships[2]]
    ships[1].partners = [ships[4]]
    ships[1].berths = [keys[0]: ships[5]]
    for (number, ship) in ships.enumerated() {
      ship.odd = number % 5
      if number % 4 != 0 { ship.mail = (number % 8 < 4 ? "Mail" : "mAIL") + "\(number)" }
      if number % 10 == 6 { ship.log = String(repeating: "é\(number % 20)", count: 3_000) }
    }
    ships[7].notes = ["long": String(repeating: "text ", count: 2_000)]
    ships[4].name = "50% \"quoted\" ?"
    try await magic.update(contentsOf: ships)
  }

  /// Calls a body with the file and the server, which have the same objects and row IDs.
  private func withBoth(_ body: (_ file: String, _ server: String) async throws -> Void)
    async throws
  {
    try await withDirectory { directory in
      let file = directory.appendingPathComponent("ships.sqlite3").path
      let server = try await ThrowawayServer.started()
      let magic = try await MagicData(path: file)
      try await Self.fill(magic)
      await magic.close()
      let copy = try await MagicData(postgres: server.address)
      try await Self.fill(copy)
      await copy.close()
      try await body(file, server.address)
      withExtendedLifetime(server) {}
    }
  }

  private func page(_ place: String, _ address: String) async -> Run {
    await magic("serve", place, "--get", address)
  }

  private static let addresses = [
    "/types.json", "/schema.json", "/type/Ship.json", "/type/Ship.csv",
    "/type/Ship.json?sort=launched", "/type/Ship.json?sort=launched&order=down&limit=7",
    "/type/Ship.json?sort=isSold", "/type/Ship.json?sort=name&order=down",
    "/type/Ship.json?sort=key&limit=3", "/type/Ship.json?where.launched=%3E2001-01-20",
    "/type/Ship.json?where.launched=2001-01-05..2001-01-09", "/type/Ship.json?where.isSold=true",
    "/type/Ship.json?where.isSold=!null", "/type/Ship.json?where.isSold=null",
    "/type/Ship.json?where.isSold=!true", "/type/Ship.json?where.key=!null",
    "/type/Ship.json?where.name=SHIP%203", "/type/Ship.json?where.name=%3Dship%203",
    "/type/Ship.json?where.name=!ship%203", "/type/Ship.json?where.name=50%25",
    "/type/Ship.json?where.length=%3E10&where.flag=finland", "/type/Ship.json?where.price=%3D0.125",
    "/type/Ship.json?where.flagship=null&limit=5", "/type/Ship.json?q=ship%201",
    "/type/Ship.json?where.mail=%3DMAIL5", "/type/Ship.json?where.mail=!mail5",
    "/type/Ship.json?where.mail=%3EMAIL3", "/type/Ship.json?sort=mail&order=down",
    "/type/Ship.json?where.odd=3&sort=odd", "/type/Ship.json?where.odd=%3E2",
    "/type/Ship.json?sort=log&limit=1&after=27",
    "/type/Ship.json?sort=log&order=down&limit=3&after=17",
    "/type/Ship.json?sort=launched&limit=7&before=30",
    "/type/Ship.json?sort=launched&limit=7&before=1",
    "/type/Ship.json?sort=isSold&order=down&limit=9&before=40", "/type/Ship.json?limit=5&before=20",
    "/type/Ship/8.json", "/type/Ship/3.json", "/type/Ship/2/members/fleet.json",
    "/type/Ship/2/references/Ship/flagship.json", "/type/Ship.json?where.flag=nothing",
    "/type/Ship.json?q=tag%204", "/type/Ship.json?q=nothing",
  ]

  @Test func aPageIsThatOfAFile() async throws {
    try await withBoth { file, server in
      for address in Self.addresses {
        let pages = [await page(file, address), await page(server, address)]
        #expect(pages.map(\.status) == [0, 0], "\(address): \(pages.map(\.messages))")
        // The names of assets are random.
        let texts = pages.map {
          $0.output.replacing(/[0-9a-f]{16}\/[0-9a-f]{16}-[0-9a-f]+/, with: "asset")
        }
        #expect(texts[0] == texts[1], "\(address)")
      }
    }
  }

  @Test func allPagesOfAnOrderHaveEachRowOnce() async throws {
    try await withBoth { _, server in
      for sorting in ["launched", "isSold", "name", "key", "price", "mail", "odd", "log"] {
        var (found, next) = ([Int](), "/type/Ship.json?sort=\(sorting)&limit=9")
        var steps = 0
        while steps < 20 {
          steps += 1
          let run = await page(server, next)
          #expect(run.status == 0, "\(run.messages)")
          let object = try #require(try run.json() as? [String: Any])
          let rows = try #require(object["rows"] as? [[String: Any]])
          found += rows.compactMap { $0["row"] as? Int }
          guard let following = object["next"] as? String else { break }
          next = following
        }
        #expect(found.count == 60 && Set(found).count == 60, "\(sorting)")
      }
    }
  }

  @Test func anObjectHasItsRelationshipsAndItsPicture() async throws {
    try await withBoth { _, server in
      let rows = await page(server, "/type/Ship.json?where.code=%3DS01")
      let object = try #require(try rows.json() as? [String: Any])
      let row = try #require((object["rows"] as? [[String: Any]])?.first?["row"] as? Int)
      let ship = await page(server, "/type/Ship/\(row)")
      #expect(ship.status == 0, "\(ship.messages)")
      for text in [
        "fleet", "squadron", "partners", "berths", "300 kB", "<img", "Referenced by",
        "Ship.flagship",
      ] {
        #expect(ship.output.contains(text), "\(text)")
      }
      let members = await page(server, "/type/Ship/\(row)/members/fleet.json")
      #expect(members.output.components(separatedBy: "\"ship 2\"").count == 3)
      let squadron = await page(server, "/type/Ship/\(row)/members/squadron.json")
      #expect(squadron.output.contains("\"ship 2\"") && squadron.output.contains("\"ship 3\""))
      let table = await page(server, "/type/Ship?facets=on")
      #expect(table.output.contains("Frequent values") && table.output.contains("norway"))
      #expect(table.output.contains("60 objects"))
    }
  }

  @Test func aPictureIsSentWhole() async throws {
    try await withBoth { _, server in
      let magic = try await MagicData(postgres: server)
      let row = try #require(
        try await magic.sql("SELECT z_index FROM \"Ship\" WHERE code = 'S01'").value(Int.self))
      let browser = MagicBrowser(magic)
      #expect(try await browser.page("/value/Ship/\(row)/picture") == Self.picture)
      #expect(try await browser.page("/types.json").isEmpty == false)
      await #expect(throws: InspectionError.self) {
        try await MagicBrowser(magic, editing: [Ship.self]).page("/types.json")
      }
      await magic.close()
    }
  }

  @Test func statementsHaveTheirErrorsOnThePage() async throws {
    try await withBoth { _, server in
      let good = await page(
        server, "/sql?sql=SELECT%20code,%20length%20FROM%20%22Ship%22%20ORDER%20BY%20code")
      #expect(good.output.contains("S01") && good.output.contains("60 rows"), "\(good.messages)")
      let bad = await page(server, "/sql?sql=SELECT%20nothing")
      #expect(bad.status == 0 && bad.output.contains("Invalid SQL"))
      let write = await page(server, "/sql?sql=DELETE%20FROM%20%22Ship%22")
      #expect(write.status == 0 && write.output.contains("role=\"alert\""))
      let slow = await page(server, "/sql.json?sql=SELECT%20pg_sleep(30)")
      #expect(slow.status == 5, "\(slow.messages)")
      let count = await page(server, "/types.json")
      #expect(count.output.contains("60"))
    }
  }

  @Test func aTableThatIsTooLargeForATimeIsNotReadWhole() async throws {
    let server = try await ThrowawayServer.started()
    let magic = try await MagicData(postgres: server.address)
    try await magic.update(Entry())
    try await magic.sql(
      "INSERT INTO \"Entry\" (z_index, kind) SELECT n, n % 3 FROM generate_series(2, 400000) AS n"
    ).run()
    try await magic.sql("ANALYZE \"Entry\"").run()
    await magic.close()
    let types = try #require(
      try await page(server.address, "/types.json").json() as? [String: Any])
    let entry = try #require((types["rows"] as? [[String: Any]])?.first)
    #expect(entry["isExact"] as? Int == 0)
    #expect(entry["objects"] as? Int == 400_000)
    let facets = await page(server.address, "/type/Entry?facets=1")
    #expect(facets.output.contains("≤ 400,000 objects"))
    #expect(facets.output.contains("of the first 2,000 rows"), "\(facets.messages)")
    let filtered = await page(server.address, "/type/Entry?where.kind=5")
    #expect(filtered.output.contains("0 objects, filtered"))
  }

  @Test func aRoleThatMayNotReadTheDescriptionsSeesTheTables() async throws {
    try await withBoth { _, server in
      let database = try await MagicData(postgres: server)
      for sql in [
        "CREATE ROLE reader LOGIN", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
        "REVOKE SELECT ON magic_columns FROM reader",
      ] as [MagicSQL] {
        try await database.sql(sql).run()
      }
      await database.close()
      let address = server.replacing(/user=\w+/, with: "user=reader")
      let report = await magic("inspect", address, "Ship")
      #expect(report.status == 0, "\(report.messages)")
      #expect(report.lines.contains { $0.hasPrefix("launched") && $0.contains("real") })
      let ship = await magic("show", address, "Ship", "S01")
      #expect(ship.status == 0, "\(ship.messages)")
      let owner = try await MagicData(postgres: server)
      try await owner.sql("REVOKE SELECT ON \"Ship\" FROM reader").run()
      await owner.close()
      let list = await page(address, "/types.json")
      #expect(list.status == 0, "\(list.messages)")
      let types = try #require(try list.json() as? [String: Any])
      #expect((types["rows"] as? [[String: Any]])?.first?["objects"] is NSNull)
      #expect(await page(address, "/").output.contains("no right"))
      #expect(await magic("inspect", address).output.contains("no right"))
      #expect(await page(address, "/type/Ship").status == 7)
    }
  }

  @Test func anObjectIsShownWithoutTheObjectsThatARoleMayNotRead() async throws {
    let server = try await ThrowawayServer.started()
    let magic = try await MagicData(postgres: server.address)
    let (boat, harbour) = (Boat(), Harbour())
    (boat.name, harbour.name) = ("Ann", "Oslo")
    (boat.harbour, boat.visited) = (harbour, [harbour])
    try await magic.update(boat)
    for role in ["sailor", "clerk"] {
      try await magic.sql("CREATE ROLE \(raw: role) LOGIN").run()
      try await magic.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(raw: role)").run()
    }
    try await magic.sql("REVOKE SELECT ON \"Harbour\" FROM sailor").run()
    try await magic.sql("REVOKE SELECT ON \"Boat\" FROM clerk").run()
    await magic.close()
    let sailor = server.address.replacing(/user=\w+/, with: "user=sailor")
    for address in ["/type/Boat", "/type/Boat/1", "/type/Boat/1/members/visited"] {
      let shown = await page(sailor, address)
      #expect(shown.status == 0, "\(shown.messages)")
      #expect(!shown.output.contains("Oslo") && !shown.output.contains("does not exist"))
    }
    let clerk = server.address.replacing(/user=\w+/, with: "user=clerk")
    let shown = await page(clerk, "/type/Harbour/1")
    #expect(shown.status == 0 && shown.output.contains("Oslo"), "\(shown.messages)")
    #expect(!shown.output.contains("Ann"))
  }

  @Test func inspectionsDescribeTheTypes() async throws {
    try await withBoth { file, server in
      for arguments in [["Ship"], ["Ship", "--json"]] {
        let reports = [
          await magic(["inspect", file] + arguments), await magic(["inspect", server] + arguments),
        ]
        #expect(reports.map(\.status) == [0, 0], "\(reports.map(\.messages))")
        // The indexes have other names.
        let lines = reports.map { run in
          run.lines.prefix { !$0.hasPrefix("index") && !$0.contains("\"indexes\"") }
        }
        #expect(lines[0] == lines[1])
      }
      let sources = [
        await magic("schema", file, "--swift"), await magic("schema", server, "--swift"),
      ]
      #expect(sources[0].output == sources[1].output)
    }
  }

  @Test func changesAreReported() async throws {
    try await withBoth { _, server in
      let report = try await watching([server, "Ship", "--json"]) {
        let database = try await MagicData(postgres: server)
        let ship = try await database.object(of: Ship.self, primary: "S07")
        (ship.name, ship.launched) = ("renamed", Date(timeIntervalSinceReferenceDate: 0))
        try await database.update(ship)
        await database.close()
      }
      #expect(report.status == 0, "\(report.messages)")
      let change = try #require(report.json() as? [String: Any])
      #expect(change["change"] as? String == "changed" && change["label"] as? String == "renamed")
      #expect(
        change["values"] as? [String: String]
          == ["name": "renamed", "launched": "2001-01-01T00:00:00Z"])
    }
  }

  @Test func objectsOnAServerAreNotEdited() async throws {
    let run = await magic("serve", "host=nowhere dbname=nothing", "--write")
    #expect(run.status == 64)
    #expect(run.messages.contains("--write is for files"))
  }
}
