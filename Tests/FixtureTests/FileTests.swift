import Foundation
import MagicAsync
import MagicQuery
import MagicRelations
import MagicStatements
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
    for (table, definitions) in found where !table.hasPrefix("magic_") || table.contains(".") {
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
    try expectUpgrade(of: fixture) { _ = try $0.migrate(Later.Ticket.self) }
  }

  @Test(arguments: Fixture.earlier) func theFormatIsUpgradedByMigrateWithoutAChange(
    _ fixture: Fixture
  ) throws {
    try expectUpgrade(of: fixture) { store throws in
      #expect(try store.migrate(Stamp.self).steps.isEmpty)
    }
  }

  @Test(arguments: Fixture.earlier) func theFormatIsUpgradedByThePreparationForSharing(
    _ fixture: Fixture
  ) throws {
    try expectUpgrade(of: fixture) { try $0.prepareForSharing() }
    let copy = try fixture.copy()
    try copy.using { try $0.prepareForSharing() }
    try copy.using { try readEverything($0, of: fixture) }
  }

  private func expectUpgrade(
    of fixture: Fixture, by verb: (MagicObjectStore) throws -> Void
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      try store.update(Stamp(number: 50))
      #expect(try format(store) == fixture.format)
      #expect(try catalogueColumns(store).contains("version") == (fixture.format > 1))
      try verb(store)
      #expect(try format(store) == 3)
    }
    let tables = try Fixture.today.copy().using { try libraryTables($0) }
    try copy.using { store throws in
      #expect(try libraryTables(store).isSubset(of: tables))
      #expect(try store.verify().findings == [])
      // Writing describes the types that are used.
      try store.update(Stamp(number: 51))
      let described = store.sql(
        "SELECT property, form FROM magic_columns WHERE table_name = 'Stamp'")
      let forms = try described.rows(String.self, String.self).map { "\($0.0) \($0.1)" }
      #expect(Set(forms) == ["motif text", "value integer"])
    }
  }

  /// The columns of the library's tables.
  private func libraryTables(_ store: MagicObjectStore) throws -> Set<String> {
    let columns = store.sql(
      """
      SELECT t.name || '.' || c.name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name LIKE 'magic!_%' ESCAPE '!'
      """)
    return Set(try columns.rows(String.self))
  }

  private func format(_ store: MagicObjectStore) throws -> Int? {
    try store.sql("SELECT version FROM magic_format").rows(Int.self).first
  }

  private func catalogueColumns(_ store: MagicObjectStore) throws -> [String] {
    try store.sql("SELECT name FROM pragma_table_info('magic_catalogue')").rows(String.self)
  }

  /// The statements that create the tables, their indexes and triggers, by table. The trigger that
  /// records high-water marks is another one since format 3.
  private func definitions(_ store: MagicObjectStore) throws -> [String: Set<String>] {
    let definitions = store.sql(
      """
      SELECT tbl_name, sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name <> tbl_name || ' high water'
      """)
    let rows =
      try definitions
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
