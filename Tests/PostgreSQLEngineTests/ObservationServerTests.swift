import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// What observation needs of the server, what it leaves there, and lost connections.
@Suite(.requiresPostgreSQL, .serialized, .timeLimit(.minutes(5))) struct ObservationServerTests {
  /// A server without logical decoding.
  private static let replica = Result { try PostgreSQLServer(settings: ["wal_level=replica"]) }

  @Test func withoutLogicalDecodingTheOutboxIsUsed() async throws {
    let schema = TestSchema(on: try Self.replica.get())
    let magic = try await schema.openMagicData()
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    let zIndex = try await magic.update(Match("first"))
    #expect(try #require(await changes.next()).inserted == [zIndex])
    #expect(try schema.count("magic_observers") == 1)
    await magic.close()
    // The last observer empties the outbox.
    #expect(try schema.count("magic_observers") == 0)
    #expect(try schema.count("magic_outbox") == 0)
  }

  /// An observer whose process was killed stays in the table.
  @Test(arguments: [("1 minute", 1), ("1 hour", 0)])
  func theOutboxIgnoresObserversOfKilledProcesses(age: String, rows: Int) async throws {
    let schema = TestSchema(on: try Self.replica.get())
    let magic = try await schema.openMagicData(.outbox)
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    try await magic.update(Match("first"))
    _ = await changes.next()
    await magic.close()
    try schema.run(
      "INSERT INTO magic_observers VALUES (gen_random_uuid(), '1', now() - interval '\(age)')")
    let writer = try await schema.openMagicData()
    try await writer.update(Match("second"))
    #expect(try schema.count("magic_outbox") == rows)
    await writer.close()
  }

  @Test func requiredLogicalDecodingSaysWhatIsMissing() async throws {
    let schema = TestSchema(on: try Self.replica.get())
    let error = await #expect(throws: MagicError.self) {
      _ = try await schema.openMagicData(.log)
    }
    #expect(error?.code == .invalidOption)
    #expect(error?.message.contains("wal_level = logical") == true)

    let server = try PostgreSQLServer.shared.get()
    try TestSchema(on: server).run("CREATE ROLE watcher LOGIN SUPERUSER")
    try TestSchema(on: server).run("ALTER ROLE watcher NOSUPERUSER")
    try TestSchema(on: server).run("GRANT ALL ON DATABASE postgres TO watcher")
    let information = "host=\(server.directory) user=watcher dbname=postgres"
    let options = PostgresOptions(schema: "watched", observation: .logical)
    let refused = await #expect(throws: MagicError.self) {
      _ = try await MagicData(postgres: information, options: options)
    }
    #expect(refused?.message.contains("REPLICATION") == true)
  }

  @Test func theSlotIsDroppedWhenTheDatabaseIsClosed() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(.log)
    #expect(try schema.slots() == 0)
    let changes = magic.changes(of: Match.self)
    try await magic.update(Match("first"))
    #expect(try schema.slots() == 1)
    await magic.close()
    _ = changes
    for _ in 0..<100 where try schema.slots() > 0 { try await Task.sleep(nanoseconds: 50_000_000) }
    #expect(try schema.slots() == 0)
  }

  @Test(arguments: Observed.allCases)
  func aLostConnectionIsReportedAndRestored(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    try schema.endAllConnections()
    let lost = try #require(await changes.next())
    #expect(lost.origin == .external && !lost.isComplete)
    let zIndex = try await magic.update(Match("second"))
    var next = try #require(await changes.next())
    while !next.isComplete { next = try #require(await changes.next()) }
    #expect(next.inserted == [zIndex])
    await magic.close()
  }

  /// The server restarts all its processes after one was killed.
  @Test(arguments: Observed.allCases)
  func observersContinueAfterACrashOfTheServer(_ observed: Observed) async throws {
    let server = try PostgreSQLServer(settings: ["wal_level=logical"])
    defer { server.stop() }
    let schema = TestSchema(on: server)
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    let process = try schema.run(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
    let number = try #require(
      process.value(0, 0).bytes.flatMap { Int32(String(decoding: $0, as: UTF8.self)) })
    #expect(kill(number, SIGKILL) == 0)
    let lost = try #require(await changes.next())
    #expect(!lost.isComplete)
    var stored = 0
    for number in 0..<200 where stored < 3 {
      do {
        try await magic.update(Match("\(number)"))
        stored += 1
      } catch is MagicError {
        try await Task.sleep(nanoseconds: 50_000_000)
      }
    }
    #expect(stored == 3)
    await magic.close()
    var inserted = 0
    while let next = await changes.next() { inserted += next.inserted.count }
    #expect(inserted >= 2)
  }

  @Test func aReadOnlyDatabaseLearnsThatAnythingMayHaveChanged() async throws {
    let schema = TestSchema(on: try Self.replica.get())
    let writer = try await schema.openMagicData()
    try await writer.update(Match("first"))
    let reader = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, readOnly: true))
    let counts = reader.values { snapshot in try snapshot.object(of: Match.self).count }
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    try await writer.update(Match("second"))
    #expect(try await iterator.next() == 2)
    await reader.close()
    await writer.close()
  }

  @Test func intervalsAreChecked() async throws {
    for interval in [0, -1, .nan, .infinity] {
      let options = PostgresOptions(observation: .outbox(every: interval))
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(postgres: "host=/nonexistent", options: options)
      }
      #expect(error?.code == .invalidOption)
    }
  }
}

extension TestSchema {
  fileprivate func count(_ table: String) throws -> Int {
    try run("SELECT FROM \(table)").count
  }

  /// The number of slots of the schema's server that are used for this test: the tests of other suites
  /// use them too, so only those of the schema's publication are counted.
  fileprivate func slots() throws -> Int {
    try run(
      """
      SELECT FROM pg_stat_activity WHERE backend_type = 'walsender' AND query LIKE \
      '%"magic_' || (SELECT oid FROM pg_namespace WHERE nspname = '\(name)') || '"%'
      """
    ).count
  }

  /// Ends the connections of all other sessions, also those that replicate.
  fileprivate func endAllConnections() throws {
    try run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
      WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')
      """)
  }
}
