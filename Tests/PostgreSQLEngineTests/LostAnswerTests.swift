import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Commits whose message or answer is lost, and servers that are away for a while.
@Suite(.requiresPostgreSQL, .serialized) struct LostAnswerTests {
  private func open(
    _ schema: TestSchema, _ proxy: PostgreSQLProxy, timeout: Double = 30
  ) async throws -> MagicData {
    try await MagicData(
      postgres: "host=\(proxy.directory) user=magic dbname=postgres",
      options: PostgresOptions(schema: schema.name, reconnectTimeout: timeout))
  }

  @Test(arguments: [PostgreSQLProxy.Fault.loseAnswer, .loseMessage, .delay])
  func aSaveWhoseCommitIsInterruptedIsStoredOnce(_ fault: PostgreSQLProxy.Fault) async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy)
    try await magic.update(Match("first"))
    proxy.arm(fault, at: "; COMMIT")
    let match = Match("second")
    try await magic.update(match)
    let stored = try await magic.object(of: Match.self)
    #expect(stored.map(\.place) == ["first", "second"])
    #expect(stored.last?.zIndex == match.zIndex)
    await magic.close()
  }

  @Test(arguments: [PostgreSQLProxy.Fault.loseAnswer, .loseMessage, .delay])
  func anIncrementWhoseCommitIsInterruptedIsMadeOnce(
    _ fault: PostgreSQLProxy.Fault
  ) async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy)
    try await magic.update(City("Oslo"))
    proxy.arm(fault, at: "; COMMIT")
    try await magic.transaction { transaction in
      let city = try transaction.object(of: City.self, primary: "Oslo")
      city.population += 1
      try transaction.update(city)
    }
    #expect(try await magic.object(of: City.self)[0].population == 1)
    await magic.close()
  }

  @Test func anExclusiveBodyWhoseCommitIsInterruptedReportsTheOutcome() async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy)
    try await magic.update(Match("first"))
    proxy.arm(.loseAnswer, at: "; COMMIT")
    try await magic.transaction(isolation: .exclusive) { _ = try $0.update(Match("second")) }
    let third = Match("third")
    proxy.arm(.loseMessage, at: "; COMMIT")
    let failure = await code {
      try await magic.transaction(isolation: .exclusive) { _ = try $0.update(third) }
    }
    #expect(failure == .connectionLost)
    #expect(third.zIndex == nil)
    #expect(try await magic.object(of: Match.self).map(\.place) == ["first", "second"])
    await magic.close()
  }

  @Test(arguments: [true, false])
  func anUncertainCommitCanBeAskedForLater(_ isCommitted: Bool) async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy, timeout: 0)
    try await magic.update(Match("first"))
    proxy.arm(isCommitted ? .loseAnswer : .loseMessage, at: "; COMMIT")
    // No other connection is accepted, so that the outcome stays unknown.
    proxy.refuseConnections(true)
    var failure: MagicError?
    do {
      try await magic.update(Match("second"))
    } catch let error as MagicError {
      failure = error
    }
    #expect(failure?.code == .uncertain)
    proxy.refuseConnections(false)
    let error = try #require(failure)
    #expect(try await magic.wasCommitted(error) == isCommitted)
    // The answer stays the same.
    #expect(try await magic.wasCommitted(error) == isCommitted)
    #expect(try await magic.object(of: Match.self).count == (isCommitted ? 2 : 1))
    let other = MagicError(.uncertain, "Another error.")
    #expect(await code { _ = try await magic.wasCommitted(other) } == .invalidOption)
    await magic.close()
  }

  /// The saves may be stored, so that they must not run again, each in a transaction of its own.
  @Test func savesThatShareAnUncertainCommitAreUncertain() async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy, timeout: 0)
    try await magic.update(Match("first"))
    // The connection is used by another transaction until all saves wait for it.
    let mayEnd = DispatchSemaphore(value: 0)
    let (began, begin) = AsyncStream<Void>.makeStream()
    let other = Task {
      try await magic.transaction(isolation: .exclusive) { _ in
        begin.finish()
        mayEnd.wait()
        throw CancellationError()
      }
    }
    for await _ in began {}
    let codes = await withTaskGroup(of: MagicError.Code?.self) { group in
      for number in 0..<8 {
        group.addTask { await code { try await magic.update(Match("shared \(number)")) } }
      }
      try? await Task.sleep(nanoseconds: 300_000_000)
      proxy.arm(.loseAnswer, at: "; COMMIT")
      proxy.refuseConnections(true)
      mayEnd.signal()
      return await group.reduce(into: []) { $0.append($1) }
    }
    await #expect(throws: CancellationError.self) { try await other.value }
    #expect(codes == Array(repeating: .uncertain, count: 8))
    proxy.refuseConnections(false)
    #expect(try await magic.object(of: Match.self).count == 9)
    await magic.close()
  }

  @Test func callsAreRepeatedAfterTheNetworkWasCut() async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await open(schema, proxy)
    try await magic.update(Match("before"))
    let cutter = Task {
      for _ in 0..<10 {
        try await Task.sleep(nanoseconds: 20_000_000)
        proxy.cut()
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<40 {
            try await magic.update(Match("\(task) \(index)"))
            _ = try await magic.object(of: City.self)
          }
        }
      }
      try await group.waitForAll()
    }
    try await cutter.value
    let places = try await magic.object(of: Match.self).map(\.place)
    #expect(places.count == 321)
    #expect(Set(places).count == 321)
    await magic.close()
  }

  @Test func callsWaitForARestartOfTheServer() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let magic = try await MagicData(postgres: server.information)
    try await magic.update(Match("before"))
    for isKilled in [false, true] {
      if isKilled { try server.kill() } else { try server.shutDown() }
      let save = Task { try await magic.update(Match("\(isKilled)")) }
      let read = Task { try await magic.object(of: Match.self).count }
      try await Task.sleep(nanoseconds: 200_000_000)
      try server.start()
      _ = try await save.value
      #expect(try await read.value >= 1)
    }
    #expect(try await magic.object(of: Match.self).count == 3)
    await magic.close()
  }

  @Test func aServerThatStaysAwayIsReportedInTime() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let magic = try await MagicData(
      postgres: server.information, options: PostgresOptions(reconnectTimeout: 0.2))
    try await magic.update(Match("before"))
    try server.shutDown()
    #expect(await code { _ = try await magic.object(of: Match.self) } == .cannotOpen)
    #expect(await code { try await magic.update(Match("away")) } == .cannotOpen)
    try server.start()
    try await magic.update(Match("back"))
    #expect(try await magic.object(of: Match.self).count == 2)
    await magic.close()
  }

  @Test func terminatedConnectionsAndTimeoutsLoseNothing() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let magic = try await MagicData(
      postgres: server.information + " options='-c idle_session_timeout=50'")
    try await magic.update(Match("first"))
    try await Task.sleep(nanoseconds: 200_000_000)
    try await magic.update(Match("second"))
    let administrator = try server.connect()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<25 { try await magic.update(Match("\(task) \(index)")) }
        }
      }
      for _ in 0..<10 {
        try await Task.sleep(nanoseconds: 10_000_000)
        try administrator.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
          """)
      }
      try await group.waitForAll()
    }
    #expect(Set(try await magic.object(of: Match.self).map(\.place)).count == 202)
    #expect(try await magic.object(of: Match.self).count == 202)
    await magic.close()
  }

  @Test func aServerWithoutFreeConnectionsIsReported() async throws {
    let server = try PostgreSQLServer(
      settings: ["max_connections=6", "superuser_reserved_connections=0"])
    defer { server.stop() }
    let magic = try await MagicData(
      postgres: server.information, options: PostgresOptions(reconnectTimeout: 0))
    var others: [PostgreSQLConnection] = []
    while let connection = try? server.connect() { others.append(connection) }
    #expect(await code { try await magic.update(Match("first")) } == .cannotOpen)
    for connection in others { connection.close() }
    try await Task.sleep(nanoseconds: 100_000_000)
    try await magic.update(Match("second"))
    #expect(try await magic.object(of: Match.self).map(\.place) == ["second"])
    await magic.close()
  }
}
