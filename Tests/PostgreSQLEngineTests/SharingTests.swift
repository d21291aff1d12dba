import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Several processes on one database, and connections that are lost.
@Suite(.requiresPostgreSQL, .serialized) struct SharingTests {
  @Test func noIncrementIsLost() async throws {
    let schema = try TestSchema()
    let (first, second) = (try await schema.openMagicData(), try await schema.openMagicData())
    try await first.update(City("Oslo"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for magic in [first, second] {
        for _ in 0..<50 {
          group.addTask {
            try await magic.transaction { transaction in
              let city = try transaction.object(of: City.self, primary: "Oslo")
              city.population += 1
              try transaction.update(city)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await second.object(of: City.self, primary: "Oslo").population == 100)
    await first.close()
    await second.close()
  }

  @Test func aWriteWaitsUpToTheLockTimeout() throws {
    let schema = try TestSchema()
    let first = try schema.open()
    let second = try MagicObjectStore.open(
      postgres: schema.server.information + " options='-c lock_timeout=50ms'",
      options: PostgresOptions(schema: schema.name))
    try first.update(City("Oslo"))
    try first.transaction { transaction in
      try transaction.update(City("Rome"))
      #expect(code { try second.update(City("Paris")) } == .busy)
      // Reads do not wait.
      #expect(try second.object(of: City.self).count == 1)
    }
    try second.update(City("Paris"))
    #expect(try first.object(of: City.self).count == 3)
    first.close()
    second.close()
  }

  @Test func rowIDsOfTwoProcessesDiffer() throws {
    let schema = try TestSchema()
    let (first, second) = (try schema.open(), try schema.open())
    let matches = (0..<20).map { Match("\($0)") }
    for (index, match) in matches.enumerated() {
      try (index % 2 == 0 ? first : second).update(match)
    }
    #expect(Set(matches.compactMap(\.zIndex)).count == 20)
    #expect(try first.object(of: Match.self).count == 20)
    first.close()
    second.close()
  }

  @Test func aSnapshotDoesNotSeeLaterCommits() throws {
    let schema = try TestSchema()
    let (first, second) = (try schema.open(), try schema.open())
    try first.update(City("Oslo"))
    try first.read { snapshot in
      #expect(try snapshot.object(of: City.self).count == 1)
      try second.update(City("Rome"))
      #expect(try snapshot.object(of: City.self).count == 1)
    }
    #expect(try first.object(of: City.self).count == 2)
    first.close()
    second.close()
  }

  @Test func callsAfterALostConnectionConnectAgain() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(City("Oslo"))
    _ = try await magic.object(of: City.self)
    try schema.endConnections()
    #expect(try await magic.object(of: City.self).count == 1)
    try schema.endConnections()
    try await magic.update(City("Rome"))
    #expect(try await magic.object(of: City.self).count == 2)
    await magic.close()
  }

  @Test func aConnectionLostInATransactionStoresNothing() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    let oslo = City("Oslo")
    try store.update(City("Rome"))
    let failure = code {
      try store.transaction { transaction in
        try transaction.update(oslo)
        try schema.endConnections()
        try transaction.update(City("Paris"))
      }
    }
    #expect(failure == .connectionLost)
    #expect(oslo.zIndex == nil)
    #expect(try store.object(of: City.self).map(\.name) == ["Rome"])
    try store.update(oslo)
    #expect(try store.object(of: City.self).count == 2)
  }

  @Test func aCommitThatTheServerHasNotReceivedIsKnownToBeRolledBack() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    defer { store.close() }
    try store.update(City("Rome"))
    let failure = code {
      try store.transaction { transaction in
        try transaction.update(City("Oslo"))
        try schema.endConnections()
      }
    }
    #expect(failure == .connectionLost)
    #expect(try store.object(of: City.self).count == 1)
  }

  @Test func aReadOnlyDatabaseIsNotWritten() throws {
    let schema = try TestSchema()
    let store = try schema.open()
    try store.update(City("Oslo"))
    store.close()
    let reader = try MagicObjectStore.open(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, readOnly: true))
    defer { reader.close() }
    #expect(try reader.object(of: City.self).count == 1)
    #expect(code { try reader.update(City("Rome")) } == .readOnly)
  }

  @Test func openingReportsWhatIsWrong() throws {
    #expect(code { _ = try MagicObjectStore.open(postgres: "host=/nonexistent") } == .cannotOpen)
    let schema = try TestSchema()
    let information = schema.server.information
    let noReaders = PostgresOptions(readers: 0)
    #expect(
      code { _ = try MagicObjectStore.open(postgres: information, options: noReaders) }
        == .invalidOption)
    try schema.open().close()
    try schema.run("UPDATE magic_format SET version = 99")
    #expect(code { _ = try schema.open() } == .newerFormat)
  }

  @Test func aSaveSeesWhatWasCommittedBeforeItsCall() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(City("Oslo"))
    try await magic.update(Match("old"))
    try await magic.update(Player("Ann"))
    let lock = try schema.lock("Player")
    // It begins its transaction, and waits.
    async let first = magic.update(Player("Bob"))
    #expect(try await eventually { try schema.isAwaited("Player") })
    try schema.run("UPDATE \"Match\" SET place = 'new'")
    async let second = magic.sql("UPDATE \"City\" SET code = (SELECT place FROM \"Match\")").run()
    try await Task.sleep(for: .milliseconds(100))
    lock.close()
    _ = try await (first, second)
    #expect(try await magic.object(of: City.self).map(\.code) == ["new"])
    await magic.close()
  }
}
