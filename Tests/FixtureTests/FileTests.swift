import Foundation
import MagicAsync
import MagicQuery
import MagicRelations
import MagicStore
import Testing

/// The database files and their schemas.
@Suite struct FileTests {
  @Test(arguments: Fixture.allCases) func verifyFindsNothing(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      let report = try store.verify()
      #expect(report.findings == [], "\(report)")
      #expect(report.isSound)
    }
  }

  @Test(arguments: Fixture.allCases) func readingChangesNoByte(_ fixture: Fixture) throws {
    let copy = try fixture.copy()
    let before = try copy.bytes
    try copy.using(readOnly: true) { try readEverything($0, of: fixture) }
    #expect(try copy.bytes == before)
  }

  @Test(arguments: Fixture.allCases) func readingInAWritableStoreChangesNoByte(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    let before = try copy.bytes
    try copy.using { try readEverything($0, of: fixture) }
    #expect(try copy.bytes == before)
  }

  @Test(arguments: Fixture.earlier) func everyTableHasTodaysDefinition(_ fixture: Fixture) throws {
    let today = try Fixture.today.copy().using { try definitions($0) }
    let found = try fixture.copy().using { try definitions($0) }
    #expect(found.keys.contains("Person"))
    // The catalogue has one more column since format 2.
    for (table, definitions) in found where table != "magic_catalogue" || !isOfFormat1(fixture) {
      #expect(definitions == today[table], "\(table)")
    }
  }

  @Test(arguments: Fixture.earlier) func theCatalogueHasTodaysEntries(_ fixture: Fixture) throws {
    let today = try Fixture.today.copy().using { try catalogue($0) }
    let found = try fixture.copy().using { try catalogue($0) }
    #expect(!found.isEmpty)
    // Fixtures with relationships had one more person, which was removed.
    for (table, entry) in found where fixture != .values || table != "Person" {
      #expect(entry == today[table], "\(table)")
    }
  }

  /// Reading and writing rows do not change the format; the first change of a table upgrades it.
  @Test(arguments: Fixture.allCases) func theFormatIsUpgradedByAChangeOfATable(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      try store.update(Stamp(number: 50))
      #expect(try format(store) == (isOfFormat1(fixture) ? 1 : 2))
      #expect(try catalogueColumns(store).contains("version") == !isOfFormat1(fixture))
      try store.migrate(Later.Ticket.self)
      #expect(try format(store) == 2)
      #expect(try catalogueColumns(store).contains("version"))
    }
    let columns = try Fixture.migrations.copy().using { try catalogueColumns($0) }
    try copy.using { store throws in
      #expect(try catalogueColumns(store) == columns)
      #expect(try store.verify().findings == [])
    }
  }

  private func isOfFormat1(_ fixture: Fixture) -> Bool { Fixture.ofFormat1.contains(fixture) }

  private func format(_ store: MagicObjectStore) throws -> Int? {
    try store.sql("SELECT version FROM magic_format").rows(Int.self).first
  }

  private func catalogueColumns(_ store: MagicObjectStore) throws -> [String] {
    try store.sql("SELECT name FROM pragma_table_info('magic_catalogue')").rows(String.self)
  }

  /// The statements that create the tables, their indexes and triggers, by table.
  private func definitions(_ store: MagicObjectStore) throws -> [String: Set<String>] {
    let rows = try store.sql("SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
      .rows(String.self, String.self)
    return Dictionary(grouping: rows, by: \.0).mapValues { Set($0.map(\.1)) }
  }

  /// The type, the fingerprint and the high-water marks, by table.
  private func catalogue(_ store: MagicObjectStore) throws -> [String: String] {
    let rows = try store.sql(
      """
      SELECT table_name, type_name || ' ' || fingerprint, high_water, primary_high_water
      FROM magic_catalogue
      """
    ).rows(String.self, String.self, Int.self, Int.self)
    return Dictionary(
      rows.map { ($0.0, "\($0.1) \($0.2) \($0.3)") }, uniquingKeysWith: { first, _ in first })
  }

  private func readEverything(_ store: MagicObjectStore, of fixture: Fixture) throws {
    #expect(try store.object(of: Person.self).count == Rows.people.count)
    #expect(try store.object(of: Measure.self).count == Rows.measures.count)
    #expect(try store.object(of: Ledger.self).count == Rows.ledgers.count)
    #expect(try store.object(of: Draft.self).isEmpty)
    #expect(try store.query(Stamp.self).where { $0.$value > 3 }.exists())
    // Types that an older file does not contain are read too, with no results.
    let homes = fixture == .values ? 0 : Rows.homes.count
    #expect(try store.object(of: Home.self).count == homes)
    let photos = Fixture.withAssets.contains(fixture) ? 22 : 0
    #expect(try store.object(of: Photo.self).count == photos)
    let parcels = Fixture.withMigrations.contains(fixture) ? 21 : 0
    #expect(try store.object(of: Parcel.self).count == parcels)
    #expect(try store.verify().isSound)
  }
}
