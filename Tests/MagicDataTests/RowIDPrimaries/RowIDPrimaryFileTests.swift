import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Integer primaries that are the row ID, in the file.
@Suite struct RowIDPrimaryFileTests {
  let scratch = Scratch()

  @Test func theTableHasNoColumnAndNoIndexForThePrimary() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Ship("a"))
    try await magic.update(Mooring())
    #expect(try await magic.verify().isSound)
    await magic.close()
    let file = try scratch.raw()
    #expect(
      try file.text("SELECT sql FROM sqlite_master WHERE name = 'Ship'")
        == "CREATE TABLE \"Ship\" (\"z_index\" INTEGER PRIMARY KEY, \"name\" TEXT NOT NULL, "
        + "\"callSign\" TEXT)")
    #expect(
      try file.text("SELECT sql FROM sqlite_master WHERE name = 'Mooring'")
        == "CREATE TABLE \"Mooring\" (\"z_index\" INTEGER PRIMARY KEY)")
    #expect(
      try file.text(
        "SELECT group_concat(name) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'Ship'")
        == "Ship(callSign) unique")
    #expect(
      try file.text(
        "SELECT column_name || ' ' || swift_type || ' ' || form FROM magic_columns "
          + "WHERE table_name = 'Ship' AND property = 'id'") == "z_index Int integer")
  }

  @Test func lookUpsSearchTheTableItself() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Ship("a"))
    let harbour = Harbour("h")
    harbour.ships = [Ship("b")]
    try await magic.update(harbour)
    let ships = magic.query(Ship.self)
    for query in [
      ships.where(\.$id == 1), ships.where { $0.$id.in([1, 2]) }, ships.where(\.$id > 1),
    ] {
      let plan = try await query.explain()
      #expect("\(plan)".contains("USING INTEGER PRIMARY KEY"), "\(plan)")
      #expect(plan.suggestions.isEmpty)
    }
    let ordered = try await ships.order(by: \.$id).explain()
    #expect(!"\(ordered)".contains("TEMP B-TREE"), "\(ordered)")
    let path = try await magic.query(Harbour.self).where(\.$flagship.$id == 1).explain()
    #expect("\(path)".contains("INTEGER PRIMARY KEY"), "\(path)")
    await magic.close()
  }

  @Test func rowsOfOtherToolsAreRead() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Ship("a"))
    try scratch.raw().execute("INSERT INTO Ship (name) VALUES ('b')")
    try scratch.raw().execute("INSERT INTO Ship (z_index, name) VALUES (-4, 'c')")
    let ships = try await magic.object(of: Ship.self)
    #expect(ships.map(\.id) == [-4, 1, 2])
    ships[0].name = "changed"
    try await magic.update(ships[0])
    #expect(try await magic.object(of: Ship.self, primary: -4).name == "changed")
    let rows = try await magic.sql(
      "SELECT \(column: \Ship.$id) FROM \(table: Ship.self) ORDER BY 1"
    ).rows(Int.self)
    #expect(rows == [-4, 1, 2])
  }

  @Test func aTriggerThatInsertsRowsGivesTheNextRowIDToTheObject() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Ship("first"))
    try await magic.transaction { transaction in
      try transaction.sql(
        """
        CREATE TRIGGER escort BEFORE INSERT ON "Ship" WHEN NEW."name" NOT LIKE 'escort%' BEGIN
          INSERT INTO "Ship" ("name") VALUES ('escort of ' || NEW."name"); END
        """
      ).run()
    }
    let ships = [Ship("a"), Ship("b"), Ship("c", id: 90)]
    let rows = try await magic.update(contentsOf: ships).map(\.rawValue)
    #expect(rows == ships.map { Int64($0.id) })
    for ship in ships {
      #expect(try await magic.object(of: Ship.self, primary: ship.id).name == ship.name)
    }
    #expect(ships[2].id == 90)
    #expect(try await magic.query(Ship.self).count() == 7)
  }

  @Test func rowsOfTriggersDoNotCollideWithReservedRowIDs() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Harbour("first"))
    try await magic.transaction { transaction in
      try transaction.sql(
        """
        CREATE TRIGGER escort AFTER INSERT ON "Harbour" BEGIN
          INSERT INTO "Ship" ("name") VALUES ('escort of ' || NEW."name"); END
        """
      ).run()
    }
    let (a, b) = (Harbour("a"), Harbour("b"))
    (a.twin, b.twin) = (b, a)
    a.ships = [Ship("1"), Ship("2")]
    b.flagship = Ship("3")
    try await magic.update(contentsOf: [a, b])
    (a.twin, b.twin) = (nil, nil)
    let fetched = try await magic.object(of: Harbour.self, primary: a.id)
    #expect(fetched.name == "a")
    #expect(fetched.twin?.id == b.id)
    #expect(fetched.ships.map(\.id) == a.ships.map(\.id))
    #expect(fetched.ships.map(\.name) == ["1", "2"])
    #expect(fetched.twin?.flagship?.name == "3")
    #expect(try await magic.query(Ship.self).count() == 5)
    fetched.twin?.twin = nil
  }

  @Test func aSharedDatabaseAssignsRowIDsOfItsRange() async throws {
    let magic = try await MagicData(path: scratch.file())
    let harbour = Harbour("h")
    harbour.flagship = Ship("flagship")
    try await magic.update(harbour)
    try await magic.prepareForSharing()
    let ship = Ship("new")
    let row = try await magic.update(ship)
    #expect(row.rawValue >> 32 > 0)
    #expect(Int64(ship.id) == row.rawValue)
    let fetched = try await magic.object(of: Harbour.self)
    #expect(fetched[0].id >> 32 == ship.id >> 32)
    #expect(fetched[0].flagship?.id == ship.id - 1)
    // A value outside of the range is stored, and does not change the sequence.
    for id in [7, ship.id + 1 << 40] {
      #expect(try await magic.update(Ship("chosen", id: id)).rawValue == Int64(id))
      let next = Ship("next")
      try await magic.update(next)
      #expect(next.id >> 32 == ship.id >> 32)
    }
    try await magic.update(Ship("chosen", id: ship.id + 1000))
    let last = Ship("last")
    try await magic.update(last)
    #expect(last.id == ship.id + 1001)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }
}
