import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicQuery
import MagicStatements
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Tasks that are cancelled while the server runs their statement, or while they wait for a lock.
/// Without an interruption, the calls would end after minutes, or when the test releases the lock.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct CancellationTests {
  /// A query that takes some minutes.
  private static let longQuery = "SELECT count(pg_sleep(600))"

  /// Whether the server runs a statement with a text.
  private func isRunning(_ text: String, _ schema: TestSchema) throws -> Bool {
    let result = try schema.run(
      """
      SELECT FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() \
      AND query LIKE '%\(text)%'
      """)
    return result.count > 0
  }

  /// A comment that distinguishes a statement from those of other tests.
  private func mark() -> String { "mark \(UUID().uuidString)" }

  private func isCancelled<Value: Sendable>(_ task: Task<Value, any Error>) async -> Bool {
    task.cancel()
    do {
      _ = try await task.value
      return false
    } catch {
      return error is CancellationError
    }
  }

  @Test func aQueryIsInterrupted() async throws {
    let (schema, mark) = (try TestSchema(), mark())
    let magic = try await schema.openMagicData()
    let task = Task {
      try await magic.sql("\(raw: Self.longQuery) /* \(raw: mark) */").value(Int.self)
    }
    #expect(try await eventually { try isRunning(mark, schema) })
    #expect(await isCancelled(task))
    #expect(try await eventually { try !isRunning(mark, schema) })
    await magic.close()
  }

  @Test func aStatementOfASnapshotIsInterrupted() async throws {
    let (schema, mark) = (try TestSchema(), mark())
    let magic = try await schema.openMagicData()
    let task = Task {
      try await magic.read {
        try $0.sql("\(raw: Self.longQuery) /* \(raw: mark) */").value(Int.self)
      }
    }
    #expect(try await eventually { try isRunning(mark, schema) })
    #expect(await isCancelled(task))
    await magic.close()
  }

  @Test func aStatementOfATransactionIsInterruptedAndTheTransactionIsRolledBack() async throws {
    let (schema, mark) = (try TestSchema(), mark())
    let magic = try await schema.openMagicData()
    try await magic.update(City("Oslo"))
    let task = Task {
      try await magic.transaction { transaction in
        try transaction.update(City("Rome"))
        _ = try transaction.sql("\(raw: Self.longQuery) /* \(raw: mark) */").value(Int.self)
      }
    }
    #expect(try await eventually { try isRunning(mark, schema) })
    #expect(await isCancelled(task))
    #expect(try await magic.object(of: City.self).map(\.name) == ["Oslo"])
    await magic.close()
  }

  /// The statement after the cancellation is not sent, although the body has caught the error.
  @Test func aBodyThatCatchesTheErrorIsRolledBack() async throws {
    let (schema, mark) = (try TestSchema(), mark())
    let magic = try await schema.openMagicData()
    try await magic.update(City("Oslo"))
    let task = Task {
      try await magic.transaction { transaction in
        try transaction.update(City("Rome"))
        _ = try? transaction.sql("\(raw: Self.longQuery) /* \(raw: mark) */").value(Int.self)
        _ = try? transaction.update(City("Bern"))
      }
    }
    #expect(try await eventually { try isRunning(mark, schema) })
    #expect(await isCancelled(task))
    #expect(try await magic.object(of: City.self).map(\.name) == ["Oslo"])
    await magic.close()
  }

  @Test func aTaskThatIsCancelledInItsBodyDoesNotCommit() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("Oslo"))
    let task = Task {
      try await magic.transaction { transaction in
        try transaction.update(City("Rome"))
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.object(of: City.self).map(\.name) == ["Oslo"])
    await magic.close()
  }

  @Test func aSaveThatWaitsForALockIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let lock = try schema.lock("magic_format")
    let match = Match("second")
    let task = Task { try await magic.update(match) }
    #expect(try await eventually { try schema.isAwaited("magic_format") })
    #expect(await isCancelled(task))
    #expect(match.zIndex == nil)
    lock.close()
    try await magic.update(Match("third"))
    #expect(try await magic.object(of: Match.self).map(\.place) == ["first", "third"])
    await magic.close()
  }

  @Test func aReadThatWaitsForALockIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: (0..<10).map { Match("\($0)") })
    let lock = try schema.lock("Match")
    let fetch = Task { try await magic.object(of: Match.self).count }
    #expect(try await eventually { try schema.isAwaited("Match") })
    #expect(await isCancelled(fetch))
    let stream = Task {
      for try await _ in magic.query(Match.self).stream() {}
    }
    #expect(try await eventually { try schema.isAwaited("Match") })
    #expect(await isCancelled(stream))
    lock.close()
    #expect(try await magic.object(of: Match.self).count == 10)
    await magic.close()
  }

  @Test func insertingManyRowsIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    try schema.run(
      """
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS \
      $$ BEGIN PERFORM pg_sleep(0.1); RETURN new; END $$; \
      CREATE TRIGGER slow BEFORE INSERT ON "Match" FOR EACH ROW EXECUTE FUNCTION slow()
      """)
    let task = Task {
      try await magic.update(contentsOf: (0..<20_000).map { Match("match \($0)") })
    }
    #expect(
      try await eventually {
        let copies = try schema.run(
          "SELECT FROM pg_stat_progress_copy WHERE relid = '\"Match\"'::regclass")
        return copies.count > 0
      })
    #expect(await isCancelled(task))
    try schema.run("DROP TRIGGER slow ON \"Match\"")
    try await magic.update(Match("second"))
    #expect(try await magic.object(of: Match.self).map(\.place) == ["first", "second"])
    await magic.close()
  }

  @Test func aMigrationThatWaitsForOtherWritersIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let lock = try schema.lock("magic_format")
    let task = Task { try await magic.migrate(Match.self, City.self) }
    #expect(try await eventually { try schema.isAwaited("magic_format") })
    #expect(await isCancelled(task))
    lock.close()
    _ = try await magic.migrate(Match.self, City.self)
    try await magic.update(City("Oslo"))
    await magic.close()
  }

  @Test func creatingIndexesIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(City("Oslo"))
    let index = try schema.run(
      "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema() "
        + "AND tablename = 'City' AND indexdef LIKE '%(code%'"
    ).text(0, 0)
    try schema.run("DROP INDEX \"\(index)\"")
    let lock = try schema.lock("City")
    let task = Task { try await magic.createIndexesConcurrently(for: City.self) }
    #expect(try await eventually { try schema.isAwaited("City") })
    #expect(await isCancelled(task))
    lock.close()
    #expect(try await magic.createIndexesConcurrently(for: City.self).count == 1)
    await magic.close()
  }

  @Test func readingAnAssetIsInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Film("A", Data(repeating: 7, count: 1_000_000)))
    let film = try await magic.object(of: Film.self, primary: "A")
    let lock = try schema.lock("magic_asset_data")
    let chunks = Task { for try await _ in film.content.chunks() {} }
    #expect(try await eventually { try schema.isAwaited("magic_asset_data") })
    #expect(await isCancelled(chunks))
    #expect(try await eventually { try !schema.isAwaited("magic_asset_data") })
    let load = Task { _ = try film.content.load() }
    #expect(try await eventually { try schema.isAwaited("magic_asset_data") })
    #expect(await isCancelled(load))
    lock.close()
    #expect(try film.content.load()?.count == 1_000_000)
    await magic.close()
  }

  // MARK: Other errors, and other calls

  @Test func aTimeoutOfStatementsKeepsItsError() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information + " options='-c statement_timeout=100ms'",
      options: PostgresOptions(schema: schema.name))
    await #expect {
      try await magic.sql("\(raw: Self.longQuery)").value(Int.self)
    } throws: {
      ($0 as? MagicError)?.code == .busy
    }
    await magic.close()
  }

  @Test func theNextCallOnTheConnectionIsNotInterrupted() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, readers: 1))
    for round in 0..<60 {
      let task = Task { try await magic.sql("SELECT count(pg_sleep(0.02))").value(Int.self) }
      // Requests are sent before, during and after the end of the statement.
      try await Task.sleep(for: .milliseconds(round / 2))
      task.cancel()
      let next = try await magic.sql("SELECT count(pg_sleep(0.01))").value(Int.self)
      #expect(next == 1)
      _ = await task.result
    }
    await magic.close()
  }

  /// A cancelled wait for a standby would be reported as an uncertain commit.
  @Test func aCommitIsNotInterrupted() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let schema = TestSchema(on: server)
    let magic = try await schema.openMagicData()
    try await magic.update(Match("first"))
    let control = try server.connect()
    try control.execute("ALTER SYSTEM SET synchronous_standby_names TO 'missing'")
    try control.execute("SELECT pg_reload_conf()")
    let waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    // The server needs a while to apply the setting.
    var (task, count) = (Task { try await magic.update(Match("second")) }, 2)
    while try control.execute(waiting).count == 0 {
      let isOver = Flag()
      let former = task
      Task {
        _ = await former.result
        isOver.set()
      }
      #expect(try await eventually { try isOver.isSet || control.execute(waiting).count == 1 })
      guard isOver.isSet else { break }
      (task, count) = (Task { try await magic.update(Match("another")) }, count + 1)
    }
    task.cancel()
    try await Task.sleep(for: .milliseconds(200))
    #expect(try control.execute(waiting).count == 1)
    try control.execute("ALTER SYSTEM RESET synchronous_standby_names")
    try control.execute("SELECT pg_reload_conf()")
    _ = try await task.value
    #expect(try await magic.object(of: Match.self).count == count)
    await magic.close()
  }
}
