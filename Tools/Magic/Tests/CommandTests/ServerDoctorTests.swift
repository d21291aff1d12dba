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
    let server = try await ThrowawayServer.started()
    let magic = try await MagicData(postgres: server.address)
    try await magic.update(contentsOf: ["north", "south"].map(Quay.init))
    await magic.close()
    try await body(server.address)
    withExtendedLifetime(server) {}
  }

  /// The advice on a database that SQL has changed: subjects, texts and commands.
  private func advice(
    _ statements: [String], in address: String, schema: String? = nil
  ) async throws -> [(subject: String, text: String, command: String)] {
    if !statements.isEmpty {
      let database = try await MagicData(postgres: address)
      for statement in statements {
        try await database.sql(MagicSQL(stringLiteral: statement)).run()
      }
      await database.close()
    }
    let run = await magic(
      ["doctor", address, "--json"] + (schema.map { ["--schema", $0] } ?? []))
    #expect(run.status == 0, "\(run.messages)")
    let report = try #require(try run.json() as? [String: Any])
    #expect(report["isSound"] as? Bool == true)
    return try #require(report["advice"] as? [[String: Any]]).map {
      ($0["subject"] as? String ?? "", $0["text"] as? String ?? "", $0["command"] as? String ?? "")
    }
  }

  @Test func aSoundDatabaseNeedsNothing() async throws {
    try await withQuays { address in
      let run = await magic("doctor", address)
      #expect(run.output == "No faults.\nNothing to improve.\n", "\(run.messages)")
    }
  }

  @Test func redundantIndexesOfAServerAreFound() async throws {
    try await withQuays { address in
      let others = [
        "CREATE INDEX other ON \"Quay\" (depth DESC)",
        "CREATE INDEX words ON \"Quay\" (name text_pattern_ops)",
        "CREATE INDEX part ON \"Quay\" (depth) WHERE depth > 1",
        "CREATE INDEX covering ON \"Quay\" (depth) INCLUDE (name)",
        "CREATE INDEX computed ON \"Quay\" ((depth + 1))",
        "ALTER TABLE \"Quay\" ADD CONSTRAINT late UNIQUE (depth, name) DEFERRABLE",
      ]
      #expect(try await advice(others, in: address).map(\.subject) == [])
      let found = try await advice(["CREATE INDEX \"a twice\" ON \"Quay\" (depth)"], in: address)
      #expect(found.map(\.subject) == ["redundant index"])
      #expect(found.first?.text.hasPrefix("a twice on Quay (depth) is not needed") == true)
      #expect(found.first?.text.hasSuffix("No type declares it: drop it.") == true)
    }
  }

  @Test func missingAndIncompleteIndexesOfAServerAreFound() async throws {
    try await withQuays { address in
      let missing = try await advice(
        [
          """
          DO $$ BEGIN EXECUTE (SELECT 'DROP INDEX ' || indexrelid::regclass FROM pg_index \
          WHERE indrelid = '"Quay"'::regclass AND indnatts = 1 AND indkey[0] = (SELECT attnum \
          FROM pg_attribute WHERE attrelid = '"Quay"'::regclass AND attname = 'home')); END $$
          """
        ], in: address)
      #expect(missing.map(\.subject) == ["missing index"])
      // An index of blocks finds no rows that refer to an object.
      let blocks = try await advice(
        ["CREATE INDEX blocks ON \"Quay\" USING brin (home)"], in: address)
      #expect(blocks.map(\.subject) == ["missing index"])
      // An incomplete index replaces neither a missing one nor a shorter one.
      let incomplete = try await advice(
        [
          "CREATE INDEX homes ON \"Quay\" (home)", "CREATE INDEX depths ON \"Quay\" (depth, name)",
          """
          UPDATE pg_index SET indisvalid = false \
          WHERE indexrelid IN ('homes'::regclass, 'depths'::regclass)
          """,
        ], in: address)
      #expect(
        incomplete.map(\.subject) == ["missing index", "incomplete index", "incomplete index"])
      #expect(incomplete.last?.command == "DROP INDEX CONCURRENTLY public.homes;")
    }
  }

  @Test func tablesAndIndexesOfWhichAServerKnowsTheUseAreFound() async throws {
    try await withQuays { address in
      let reads =
        "DO $$ BEGIN FOR i IN 1..1200 LOOP PERFORM 1 FROM \"Quay\" WHERE z_index = i; END LOOP; END $$"
      let database = try await MagicData(postgres: address)
      try await database.sql("ALTER TABLE \"Quay\" SET (autovacuum_enabled = false)").run()
      try await database.update(contentsOf: (0..<30_000).map { Quay("quay \($0)") })
      for statement in [
        "UPDATE \"Quay\" SET depth = depth + 1", "CREATE INDEX never ON \"Quay\" (depth, name)",
        "CREATE INDEX negative ON \"Quay\" ((-depth), name)", reads,
      ] {
        try await database.sql(MagicSQL(stringLiteral: statement)).run()
      }
      // A session sends its counters some time after its transaction.
      var isKnown: Bool?
      for _ in 0..<300 where isKnown != true {
        isKnown = try await database.sql(
          """
          SELECT n_dead_tup >= 10000 AND idx_scan >= 1000 FROM pg_stat_user_tables \
          WHERE relid = '"Quay"'::regclass
          """
        ).value(Bool.self)
        try await Task.sleep(for: .milliseconds(100))
      }
      await database.close()
      let found = try await advice([], in: address)
      // The index of the property does not depend on the other ones, and all are unused.
      let indexes = ["unused index", "unused index", "unused index"]
      #expect(found.map(\.subject) == indexes + ["no statistics", "dead rows"])
      #expect(found.contains { $0.text.contains("negative on Quay ((- depth), name)") })
      #expect(
        found.suffix(2).map(\.command) == [
          "ANALYZE public.\"Quay\";", "VACUUM public.\"Quay\";",
        ])
      let known = try await advice(["ANALYZE \"Quay\""], in: address)
      #expect(known.map(\.subject) == indexes + ["dead rows"])
      // An index that is not needed is named once, also if it is unused.
      let twice = try await advice(
        ["CREATE INDEX \"never again\" ON \"Quay\" (depth, name)"], in: address)
      #expect(twice.map(\.subject) == ["redundant index"] + indexes + ["dead rows"])
    }
  }

  @Test func theSchemaOfTheTablesIsNamed() async throws {
    try await withQuays { address in
      let schema = "tenant \"7\""
      let other = try await MagicData(
        postgres: address, options: PostgresOptions(schema: schema))
      try await other.update(Quay("east"))
      await other.close()
      let found = try await advice(
        [
          "CREATE INDEX homes ON \"tenant \"\"7\"\"\".\"Quay\" (home, depth)",
          "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\"tenant \"\"7\"\"\".homes'::regclass",
        ], in: address, schema: schema)
      #expect(found.map(\.command) == ["DROP INDEX CONCURRENTLY \"tenant \"\"7\"\"\".homes;"])
      #expect(try await advice([], in: address).map(\.subject) == [])
    }
  }

  @Test func replicationSlotsAndSettingsThatCostALotAreFound() async throws {
    try await withQuays { address in
      let found = try await advice(
        [
          "SELECT pg_create_physical_replication_slot('left_over', true)",
          "ALTER DATABASE postgres SET synchronous_commit = off",
        ], in: address)
      #expect(found.map(\.subject) == ["unused replication slot", "durability"])
      #expect(found.first?.command == "SELECT pg_drop_replication_slot('left_over');")
      #expect(found.last?.text.contains("by the setting of: database.") == true)
    }
  }

  @Test func aTableOfChangesIsFound() async throws {
    try await withQuays { address in
      let database = try await MagicData(postgres: address)
      let observer = Task { for await _ in database.changes(of: Quay.self) {} }
      while try await database.sql("SELECT to_regclass('magic_outbox') IS NULL").value(Bool.self)
        == true
      {
        try await Task.sleep(for: .milliseconds(20))
      }
      let found = try await advice([], in: address)
      observer.cancel()
      await database.close()
      #expect(found.map(\.subject) == ["observation"])
    }
  }

  @Test func aRoleThatMayOnlyReadGetsTheSameAdvice() async throws {
    try await withQuays { address in
      _ = try await advice(
        [
          "CREATE INDEX \"a twice\" ON \"Quay\" (depth)", "CREATE ROLE reader LOGIN",
          "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
          "GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO reader",
        ], in: address)
      let found = try await advice([], in: address.replacing("user=quick", with: "user=reader"))
      #expect(found.map(\.subject) == ["redundant index"])
    }
  }

  @Test func adviceIsGivenIfTheCheckLacksARight() async throws {
    try await withQuays { address in
      _ = try await advice(
        [
          "CREATE INDEX \"a twice\" ON \"Quay\" (depth)", "CREATE ROLE clerk LOGIN",
          "GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk",
        ], in: address)
      let clerk = address.replacing("user=quick", with: "user=clerk")
      let run = await magic("doctor", clerk)
      #expect(run.status == 7)
      #expect(run.output.hasPrefix("The check was not completed.\n\nredundant index\n"))
      #expect(run.messages.contains("permission denied for sequence magic_"), "\(run.messages)")
      let object = try #require(await magic("doctor", clerk, "--json").json() as? [String: Any])
      #expect(object["isSound"] is NSNull && object["findings"] is NSNull)
      #expect((object["advice"] as? [Any])?.count == 1)
    }
  }

  @Test func aSchemaThatDoesNotExistIsNamedInTheMessage() async throws {
    try await withQuays { address in
      let run = await magic("doctor", address, "--schema", "nowhere")
      #expect(run.status == 2)
      #expect(run.messages.contains("The database has no schema of this name"), "\(run.messages)")
    }
  }
}
