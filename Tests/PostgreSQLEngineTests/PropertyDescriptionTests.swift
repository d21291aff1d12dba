import Foundation
import MagicData
import MagicAssets
import MagicDataPostgres
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private enum V1 {
  enum Colour: String, Magical, CaseIterable { case red, blue }

  final class Buoy: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var id: Int
    @MagicValue var colour = Colour.red
    @MagicValue(.compared(.caseInsensitive)) var name: String = ""
    @OptionMagicValue var laid: Date?
    @MagicValue var depth: Decimal = 0
    @MagicValue var tags: [String] = []
    @OptionMagicValue var chart: MagicAsset<Data>?
    @OptionMagicValue var next: Buoy?
    @MagicValue var neighbours: [UUID: Buoy] = [:]
    @MagicValue var group: [Buoy] = []
    @ReverseMagicValue(\Buoy.$next) var previous: AsyncReverseMagicSet<Buoy>

    init() {}
  }
}

/// A version with another case, whose table is the same.
private enum V2 {
  enum Colour: String, Magical, CaseIterable { case red, blue, green }

  struct Buoy: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var colour = Colour.red

    init() {}
  }
}

/// A version with another column.
private enum V3 {
  struct Buoy: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var colour = V2.Colour.red
    @MagicValue var laid = Date(timeIntervalSinceReferenceDate: 0)

    init() {}
  }
}

private enum Small {
  struct Buoy: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var colour = V1.Colour.red

    init() {}
  }
}

/// The descriptions of properties in `magic_columns`, for programs without the types.
@Suite(.requiresPostgreSQL) struct PropertyDescriptionTests {
  private static func rows(_ magic: MagicData) async throws -> [MagicSQLRow] {
    try await magic.sql(
      """
      SELECT table_name, property, column_name, swift_type, form, details FROM magic_columns \
      ORDER BY table_name, property
      """
    ).rows()
  }

  private static func cases(_ schema: TestSchema) throws -> String {
    try schema.run("SELECT details FROM magic_columns WHERE property = 'colour'").text(0, 0)
  }

  @Test func aNewTypeIsDescribedAsInAFile() async throws {
    let schema = try TestSchema()
    let directory = try TemporaryDirectory()
    let databases = [
      try await schema.openMagicData(),
      try await MagicData(path: directory.file("buoys.sqlite3").path),
    ]
    var rows: [[MagicSQLRow]] = []
    for magic in databases {
      try await magic.update(V1.Buoy())
      rows.append(try await Self.rows(magic))
      await magic.close()
    }
    #expect(rows[0].count == 11)
    #expect(rows[0] == rows[1])
  }

  @Test func aTypeWithAnotherCaseIsDescribedAgainWhenItIsNextSaved() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(Small.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue"]}"#)
    let new = try await schema.openMagicData()
    #expect(try await new.object(of: V2.Buoy.self).count == 1)
    #expect(try Self.cases(schema) == #"{"cases":["red","blue"]}"#)
    try await new.update(V2.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue","green"]}"#)
    // A process that has checked the type does not describe it again.
    try await old.update(Small.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue","green"]}"#)
    await old.close()
    await new.close()
  }

  @Test func aMigratedTypeIsDescribedAgain() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(Small.Buoy())
    await old.close()
    let new = try await schema.openMagicData()
    try await new.update(V3.Buoy())
    let form = try schema.run("SELECT form FROM magic_columns WHERE property = 'laid'")
    #expect(form.count == 1 && form.text(0, 0) == "date")
    #expect(try Self.cases(schema) == #"{"cases":["red","blue","green"]}"#)
    await new.close()
  }

  @Test func anEarlierVersionDoesNotReplaceTheDescriptionOfALaterOne() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    let first = try await schema.openMagicData()
    try await first.update(V2.Buoy())
    await first.close()
    // The transaction notes the type, and is rolled back.
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await old.transaction { transaction throws in
        _ = try transaction.object(of: Small.Buoy.self)
        throw Stop()
      }
    }
    let new = try await schema.openMagicData()
    try await new.update(V3.Buoy())
    try await old.update(Match("sea"))
    #expect(try schema.run("SELECT FROM magic_columns WHERE property = 'laid'").count == 1)
    await old.close()
    await new.close()
  }

  @Test func aTypeIsDescribedAfterALockOfItsRow() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    try await old.update(Small.Buoy())
    await old.close()
    let connection = try schema.server.connect()
    try connection.execute(
      "SET search_path TO \"\(schema.name)\"; BEGIN; SELECT FROM magic_types FOR UPDATE")
    let new = try await schema.openMagicData()
    try await new.update(V2.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue"]}"#)
    connection.close()
    try await new.update(V2.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue","green"]}"#)
    await new.close()
  }

  @Test func aDescriptionOfAnEarlierLibraryIsNotCopiedAfterAMigration() async throws {
    let schema = try TestSchema()
    let directory = try TemporaryDirectory()
    let magic = try await schema.openMagicData()
    try await magic.update(Small.Buoy())
    await magic.close()
    try schema.run("UPDATE magic_types SET properties = ''")
    let path = directory.file("copy.sqlite3").path
    try await MagicData.copy(
      from: .postgres(schema.server.information, schema: schema.name), to: .file(path))
    let copy = try await MagicData(path: path)
    #expect(try await Self.rows(copy).isEmpty)
    await copy.close()
  }

  @Test func aRoleThatMayNotDescribeATypeSavesItsObjects() async throws {
    let schema = try TestSchema()
    let owner = try await schema.openMagicData()
    try await owner.update(Small.Buoy())
    await owner.close()
    let role = "writer_\(schema.name.filter(\.isHexDigit).lowercased())"
    try schema.run(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA "\(schema.name)" TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "\(schema.name)" TO \(role);
      GRANT ALL ON ALL SEQUENCES IN SCHEMA "\(schema.name)" TO \(role);
      REVOKE INSERT, UPDATE, DELETE ON magic_columns, magic_types FROM \(role);
      """)
    let magic = try await MagicData(
      postgres: "host=\(schema.server.directory) user=\(role) dbname=postgres",
      options: PostgresOptions(schema: schema.name))
    for count in 2..<5 {
      try await magic.update(V2.Buoy())
      #expect(try await magic.object(of: V2.Buoy.self).count == count)
    }
    #expect(try Self.cases(schema) == #"{"cases":["red","blue"]}"#)
    await magic.close()
  }

  @Test func aDatabaseOfAnEarlierVersionIsDescribedWhenItsTypesAreSaved() async throws {
    let schema = try TestSchema()
    let before = try await schema.openMagicData()
    try await before.update(Small.Buoy())
    await before.close()
    try schema.run("DROP TABLE magic_columns; ALTER TABLE magic_types DROP COLUMN properties")
    let magic = try await schema.openMagicData()
    try await magic.update(Small.Buoy())
    #expect(try Self.cases(schema) == #"{"cases":["red","blue"]}"#)
    await magic.close()
  }

  @Test func theDescriptionsAreCopiedToAFile() async throws {
    let schema = try TestSchema()
    let directory = try TemporaryDirectory()
    let path = directory.file("copy.sqlite3").path
    let magic = try await schema.openMagicData()
    try await magic.update(V1.Buoy())
    let rows = try await Self.rows(magic)
    await magic.close()
    try await MagicData.copy(
      from: .postgres(schema.server.information, schema: schema.name), to: .file(path))
    let copy = try await MagicData(path: path)
    #expect(try await Self.rows(copy) == rows)
    await copy.close()
  }
}
