import Foundation
import MagicData
import MagicDataPostgres
import Testing
import ToolTestSupport

/// `magic doctor` of a database on a server.
@Suite(
  .enabled(
    if: ThrowawayServer.isTested, "PostgreSQL is not installed. Run: Tools/setup postgres"))
struct ServerDoctorTests {
  private final class Quay: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var name: String
    @MagicValue(.indexed) var depth: Int = 0
    @OptionMagicValue var home: Quay?

    init() {}
    init(_ name: String) { self.name = name }
  }

  private func withQuays(_ body: (String) async throws -> Void) async throws {
    let server = try ThrowawayServer()
    let magic = try await MagicData(postgres: server.address)
    try await magic.update(contentsOf: ["north", "south"].map(Quay.init))
    await magic.close()
    try await body(server.address)
    withExtendedLifetime(server) {}
  }

  /// The subjects and the texts of the advice on a database that SQL has changed.
  private func advice(
    _ statements: [String], in address: String
  ) async throws -> [(subject: String, text: String)] {
    let database = try await MagicData(postgres: address)
    for statement in statements {
      try await database.sql(MagicSQL(stringLiteral: statement)).run()
    }
    await database.close()
    let run = await magic("doctor", address, "--json")
    #expect(run.status == 0, "\(run.messages)")
    let report = try #require(try run.json() as? [String: Any])
    #expect(report["isSound"] as? Bool == true)
    return try #require(report["advice"] as? [[String: Any]]).map {
      ($0["subject"] as? String ?? "", $0["text"] as? String ?? "")
    }
  }

  @Test func aSoundDatabaseOnlyHasAdviceAboutTheServer() async throws {
    try await withQuays { address in
      let found = try await advice([], in: address)
      #expect(found.map(\.subject) == ["observation"])
      let run = await magic("doctor", address)
      #expect(run.lines.contains { $0.hasSuffix("ALTER SYSTEM SET wal_level = logical") })
    }
  }

  @Test func indexesThatAServerDoesNotNeedAreFound() async throws {
    try await withQuays { address in
      let redundant = try await advice(
        [
          "CREATE INDEX twice ON \"Quay\" (depth)",
          "CREATE INDEX other ON \"Quay\" (depth DESC)",
          "CREATE INDEX words ON \"Quay\" (name text_pattern_ops)",
          "CREATE INDEX part ON \"Quay\" (depth) WHERE depth > 1",
        ], in: address)
      #expect(redundant.map(\.subject) == ["redundant index", "observation"])
      #expect(redundant.first?.text.hasPrefix("twice on Quay (depth) is not needed") == true)
      let missing = try await advice(
        [
          "DROP INDEX twice",
          """
          DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || indexrelid::regclass FROM pg_index \
          WHERE indrelid = '"Quay"'::regclass AND indnatts = 1 AND indkey[0] = (SELECT attnum \
          FROM pg_attribute WHERE attrelid = '"Quay"'::regclass AND attname = 'home')); END $$
          """,
        ], in: address)
      #expect(missing.map(\.subject) == ["missing index", "observation"])
      let incomplete = try await advice(
        [
          "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'other'::regclass"
        ], in: address)
      #expect(incomplete.map(\.subject) == ["missing index", "incomplete index", "observation"])
    }
  }

  @Test func tablesAndIndexesOfWhichAServerKnowsTheUseAreFound() async throws {
    try await withQuays { address in
      let rows = "INSERT INTO \"Quay\" (z_index, name, depth) SELECT i, 'name ' || i, i "
      let found = try await advice(
        [
          "ALTER TABLE \"Quay\" SET (autovacuum_enabled = false)",
          rows + "FROM generate_series(1000000, 1029999) AS i",
          "UPDATE \"Quay\" SET depth = depth + 1",
          "CREATE INDEX never ON \"Quay\" (depth, name)",
          "DO $$ BEGIN FOR i IN 1..1200 LOOP PERFORM 1 FROM \"Quay\" WHERE z_index = i; END LOOP; END $$",
          // The session sends its counters to the server when it ends at the latest.
          "SELECT pg_stat_force_next_flush()",
        ], in: address)
      let subjects = Set(found.map(\.subject))
      #expect(
        subjects == [
          "redundant index", "unused index", "no statistics", "dead rows", "observation",
        ])
      #expect(found.contains { $0.text.hasPrefix("Quay has 30,0") })
    }
  }

  @Test func replicationSlotsAndSettingsThatCostALotAreFound() async throws {
    try await withQuays { address in
      let found = try await advice(
        [
          "SELECT pg_create_physical_replication_slot('left_over', true)",
          "ALTER DATABASE postgres SET synchronous_commit = off",
        ], in: address)
      #expect(found.map(\.subject) == ["unused replication slot", "durability", "observation"])
      #expect(found.first?.text.contains("left_over") == true)
    }
  }
}
