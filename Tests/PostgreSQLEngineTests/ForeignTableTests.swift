import MagicData
import MagicDataPostgres
import PostgreSQLTestSupport
import Testing

/// Tables of other programs in the schema of the library.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct ForeignTableTests {
  @Test func foreignKeysOfOtherProgramsAreNotVerified() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("Oslo"))
    for statement in [
      "CREATE TABLE other (id int PRIMARY KEY, next int REFERENCES other (id))",
      "CREATE TABLE visits (id int PRIMARY KEY, city bigint REFERENCES \"City\" (z_index))",
      "ALTER TABLE \"City\" ADD COLUMN visit int REFERENCES visits (id)",
    ] {
      try await magic.sql(MagicSQL(stringLiteral: statement)).run()
    }
    let report = try await magic.verify()
    #expect(report.isSound)
    await magic.close()
  }

  @Test func brokenReferencesOfTypesAndCollectionsAreFound() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    let player = Player("Ann")
    player.home = City("Oslo")
    try await magic.update(Team("home", [player, Player("Bob")]))
    #expect(try await magic.verify().isSound)
    try schema.run(
      "SET session_replication_role = replica; DELETE FROM \"City\"; "
        + "DELETE FROM \"Player\" WHERE name = 'Bob'; SET session_replication_role = DEFAULT")
    let found = try await magic.verify().findings.filter { $0.kind == .brokenReference }
    #expect(found.count == 2)
    #expect(Set(found.compactMap(\.column)) == ["home", "target"])
    await magic.close()
  }
}
