import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// How often a call waits for the server.
@Suite(.requiresPostgreSQL) struct RoundTripTests {
  /// Returns what a call sends between two answers of the server, up to the message with a text. The call has
  /// run before, so that its statements are prepared.
  private func turns(
    upTo end: String, of call: (MagicData) async throws -> Void
  ) async throws -> [String] {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await MagicData(
      postgres: "host=\(proxy.directory) user=magic dbname=postgres",
      options: PostgresOptions(schema: schema.name, readers: 1))
    let player = Player("Ada")
    player.home = City("Oslo")
    try await magic.update(Team("A", [player]))
    var turns: [String] = []
    // The second one notices the migration of the save.
    for _ in 0..<3 {
      turns = []
      try await call(magic)
      #expect(
        await eventually {
          turns += proxy.takeTurns()
          return turns.last?.contains(end) ?? false
        })
    }
    await magic.close()
    return turns
  }

  @Test func rawSQLIsSentWithTheBeginOfItsSnapshot() async throws {
    let turns = try await turns(upTo: "ROLLBACK") { magic in
      let names = try await magic.sql("SELECT name FROM \"Team\" WHERE name = \("A")")
        .rows(String.self)
      #expect(names == ["A"])
    }
    #expect(turns.count == 2)
    #expect(turns.first?.contains("BEGIN") == true)
    #expect(turns.first?.contains("SELECT name") == true)
  }

  @Test func theFirstStatementOfAGraphIsSentWithTheBeginOfItsSnapshot() async throws {
    let turns = try await turns(upTo: "ROLLBACK") { magic in
      let player = try await magic.query(Player.self).where(\.$name == "Ada").first()
      #expect(player?.home?.name == "Oslo")
    }
    // The players, their homes, and the end.
    #expect(turns.count == 3)
    #expect(turns.first?.contains("BEGIN") == true)
  }

  @Test func theSavepointOfAVerbIsSentWithItsStatement() async throws {
    let turns = try await turns(upTo: "COMMIT") { magic in
      try await magic.transaction { transaction in
        let city = try transaction.object(of: City.self, primary: "Oslo")
        for _ in 0..<2 {
          city.population += 1
          try transaction.update(city)
        }
      }
    }
    // The begin, the city, two updates, and the commit.
    #expect(turns.count == 5)
    #expect(turns.dropFirst(2).first?.contains("SAVEPOINT") == true)
    #expect(turns.dropFirst(3).first?.contains("RELEASE") == true)
  }

  @Test func aSaveIsSentWithTheBeginOfItsTransaction() async throws {
    let turns = try await turns(upTo: "COMMIT") { magic in
      try await magic.update(City("Oslo"))
    }
    #expect(turns.count == 2)
    #expect(turns.first?.contains("BEGIN") == true)
  }

  @Test func aSaveRunsAgainAfterAMigrationSinceTheLastOne() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    for name in ["Oslo", "Bonn"] { try await magic.update(City(name)) }
    try schema.run(
      """
      ALTER TABLE "City" ADD COLUMN inhabitants bigint CHECK (inhabitants > 0) DEFAULT 1; \
      ALTER TABLE "City" ALTER COLUMN inhabitants SET DEFAULT 0; \
      UPDATE magic_format SET migrations = migrations + 1
      """)
    #expect(await code { try await magic.update(City("Rome")) } == .constraint)
    try schema.run("ALTER TABLE \"City\" ALTER COLUMN inhabitants SET DEFAULT 1")
    for name in ["Rome", "Wien"] {
      try schema.run("UPDATE magic_format SET migrations = migrations + 1")
      try await magic.update(City(name))
    }
    let cities = try await magic.query(City.self).order(by: \.$name).all()
    #expect(cities.map(\.name) == ["Bonn", "Oslo", "Rome", "Wien"])
    await magic.close()
  }

  @Test func aSaveWhoseBeginWaitedInVainLeavesTheConnectionUsable() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information + " options='-c lock_timeout=100'",
      options: PostgresOptions(schema: schema.name))
    try await magic.update(City("Oslo"))
    // The first wait is that of the second save of the connection, whose begin is deferred.
    for round in 0..<3 {
      let lock = try schema.lock("magic_format")
      #expect(await code { try await magic.update(City("Bonn")) } == .busy)
      #expect(
        await code { _ = try await magic.insert(contentsOf: [City("Rome")], orIgnore: true) }
          == .busy)
      lock.close()
      try await magic.update(City("Wien \(round)"))
    }
    let cities = try await magic.query(City.self).order(by: \.$name).all()
    #expect(cities.map(\.name) == ["Oslo", "Wien 0", "Wien 1", "Wien 2"])
    await magic.close()
  }

  @Test(arguments: [0, 30.0])
  func aSaveAfterTheLossOfAnIdleConnectionRuns(reconnectTimeout: Double) async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, reconnectTimeout: reconnectTimeout))
    for round in 0..<3 {
      for city in 0..<3 { try await magic.update(City("\(round) \(city)")) }
      try schema.endConnections()
    }
    try await magic.update(City("last"))
    #expect(try await magic.query(City.self).count() == 10)
    await magic.close()
  }

  @Test func theSavepointsOfRawSQLAreSentWithTheirStatements() async throws {
    let turns = try await turns(upTo: "COMMIT") { magic in
      try await magic.transaction { transaction in
        for name in ["Oslo", "Bonn"] {
          try transaction.sql("UPDATE \"City\" SET population = 1 WHERE name = \(name)").run()
        }
        let sum = try transaction.sql("SELECT sum(population)::int FROM \"City\"")
          .rows(Int.self)
        #expect(sum == [1])
      }
    }
    // The begin, two updates, the sum and the end of its savepoint, and the commit.
    #expect(turns.count == 6)
    #expect(turns.dropFirst().prefix(3).allSatisfy { $0.contains("SAVEPOINT") })
  }

  @Test func aFailedVerbIsRolledBackAndTheNextOnesRun() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information, options: PostgresOptions(schema: schema.name))
    try await magic.update(contentsOf: [City("Oslo"), City("Bonn")])
    try await magic.transaction { transaction in
      for name in ["Oslo", "Bonn"] {
        let city = try transaction.object(of: City.self, primary: name)
        city.population += 1
        try transaction.update(city)
        city.code = "X"
        if name == "Bonn" {
          #expect(code { try transaction.update(city) } == .notUnique)
        } else {
          try transaction.update(city)
        }
        try transaction.update(City(name + " 2"))
      }
    }
    let cities = try await magic.query(City.self).order(by: \.$name).all()
    #expect(cities.map(\.name) == ["Bonn", "Bonn 2", "Oslo", "Oslo 2"])
    #expect(cities.map(\.population) == [1, 0, 1, 0])
    #expect(cities.map(\.code) == [nil, nil, "X", nil])
    await magic.close()
  }

  @Test func theAnswerToTheEndOfASnapshotMayBeLost() async throws {
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let magic = try await MagicData(
      postgres: "host=\(proxy.directory) user=magic dbname=postgres",
      options: PostgresOptions(schema: schema.name, readers: 1))
    try await magic.update(Team("A", [Player("Ada")]))
    for fault in [PostgreSQLProxy.Fault.loseAnswer, .loseMessage] {
      proxy.arm(fault, at: "ROLLBACK")
      for _ in 0..<3 {
        let teams = try await magic.object(of: Team.self)
        #expect(teams.map(\.members.count) == [1])
      }
    }
    await magic.close()
  }

  @Test func aFailedStatementEndsItsSnapshot() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, readers: 1))
    try await magic.update(Team("A"))
    for _ in 0..<2 {
      #expect(
        await code { _ = try await magic.sql("SELECT 1 / 0 FROM \"Team\"").rows(Int.self) }
          != nil)
      #expect(
        await code { _ = try await magic.sql("SELECT nothing").rows(Int.self) } == .invalidQuery)
      #expect(try await magic.sql("SELECT name FROM \"Team\"").rows(String.self) == ["A"])
    }
    await magic.close()
  }
}
