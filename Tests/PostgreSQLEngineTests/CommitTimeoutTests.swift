import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Commits that wait for a synchronous standby that is away.
@Suite(.requiresPostgreSQL, .serialized, .timeLimit(.minutes(3))) struct CommitTimeoutTests {
  private func failure(_ body: () async throws -> Void) async -> MagicError? {
    do {
      try await body()
      return nil
    } catch {
      return error as? MagicError
    }
  }

  /// The server processes whose commit waits for a standby.
  private func waiting(_ server: PostgreSQLServer) throws -> Int {
    try server.connect().execute("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'").count
  }

  @Test func aCommitWithoutAStandbyIsUncertainAndCanBeAskedForLater() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    try primary.requireStandby()
    let options = PostgresOptions(reconnectTimeout: 1, commitTimeout: 0.5)
    let magic = try await MagicData(postgres: primary.information, options: options)
    try await magic.update(Match("first"))
    try standby.kill()
    let second = try #require(await failure { try await magic.update(Match("second")) })
    #expect(second.code == .uncertain)
    // The commit was not cancelled: it still waits.
    #expect(try waiting(primary) == 1)
    // Later saves are not prevented, and neither are those of other processes.
    let third = try #require(await failure { try await magic.update(Match("third")) })
    #expect(third.code == .uncertain)
    let local = try await MagicData(
      postgres: primary.information + " options='-c synchronous_commit=local'")
    try await local.update(Match("local"))
    #expect(try await magic.object(of: Match.self).map(\.place) == ["first", "local"])
    // The outcome is not known yet.
    #expect(await failure { _ = try await magic.wasCommitted(second) }?.code == .uncertain)

    try standby.start()
    #expect(try await magic.wasCommitted(second))
    #expect(try await magic.wasCommitted(third))
    try await magic.update(Match("fourth"))
    let places = try await magic.object(of: Match.self).map(\.place)
    #expect(Set(places) == ["first", "local", "second", "third", "fourth"] && places.count == 5)
    await local.close()
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func savesThatShareACommitAreUncertainAndStoredOnce() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    try primary.requireStandby()
    let options = PostgresOptions(reconnectTimeout: 30, commitTimeout: 0.5)
    let magic = try await MagicData(postgres: primary.information, options: options)
    try await magic.update(Match("first"))
    try standby.kill()
    let start = ContinuousClock.now
    let errors = await withTaskGroup(of: MagicError?.self) { group in
      for number in 0..<8 {
        group.addTask { await failure { try await magic.update(Match("\(number)")) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.allSatisfy { $0?.code == .uncertain })
    // The calls do not ask for the outcome, which is not known for the time of `reconnectTimeout`.
    #expect(ContinuousClock.now - start < .seconds(20))
    try standby.start()
    for error in errors.compactMap(\.self) { #expect(try await magic.wasCommitted(error)) }
    #expect(try await magic.object(of: Match.self).count == 9)
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func anAnswerThatThePrimaryHasNotGivenIsThatOfItsSuccessor() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    try primary.requireStandby()
    let options = PostgresOptions(commitTimeout: 0.5)
    let magic = try await MagicData(
      postgres: PostgreSQLServer.information([primary, standby]), options: options)
    try await magic.update(Match("first"))
    try standby.disconnect()
    let error = try #require(await failure { try await magic.update(Match("second")) })
    #expect(error.code == .uncertain)
    try primary.kill()
    try standby.promote()
    // The standby did not get the transaction.
    #expect(try await !magic.wasCommitted(error))
    try await magic.update(Match("third"))
    #expect(try await magic.object(of: Match.self).map(\.place) == ["first", "third"])
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func aBlockingCallEndsToo() throws {
    let server = try PostgreSQLServer()
    let store = try MagicObjectStore.open(
      postgres: server.information, options: PostgresOptions(commitTimeout: 0.3))
    try store.update(Match("first"))
    let control = try server.connect()
    try control.execute("ALTER SYSTEM SET synchronous_standby_names TO 'missing'")
    try control.execute("SELECT pg_reload_conf()")
    var codes: [MagicError.Code?] = []
    // The setting is not read immediately.
    while codes.last != .uncertain, codes.count < 100 {
      codes.append(code { try store.update(Match("second")) })
    }
    #expect(codes.last == .uncertain)
    store.close()
    server.stop()
  }

  @Test func aCommitThatIsAnsweredInTimeSucceeds() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, commitTimeout: 60))
    for number in 0..<20 { try await magic.update(Match("\(number)")) }
    #expect(try await magic.object(of: Match.self).count == 20)
    await magic.close()
  }

  @Test(arguments: [0, -1, 1e9, .nan])
  func aTimeoutThatIsNotPossibleIsRefused(_ seconds: Double) async throws {
    let schema = try TestSchema()
    let options = PostgresOptions(schema: schema.name, commitTimeout: seconds)
    let error = await failure {
      _ = try await MagicData(postgres: schema.server.information, options: options)
    }
    #expect(error?.code == .invalidOption)
  }
}
