import MagicData
import MagicDataPostgres
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Reads and writes of so many rows that they are copied.
@Suite(.requiresPostgreSQL) struct ManyRowsTests {
  private let schema: TestSchema
  private let store: MagicObjectStore

  init() throws {
    schema = try TestSchema()
    store = try schema.open()
  }

  @Test func allObjectsAreReadInTheirOrder() throws {
    try store.update(contentsOf: (0..<3_000).map { City("City \($0)", population: $0) })
    try schema.run(
      "UPDATE \"City\" SET code = E'a\\x01\\x02\\x02b' WHERE population = 7")
    for _ in 0..<3 {
      let cities = try store.object(of: City.self)
      #expect(cities.map(\.population) == Array(0..<3_000))
      #expect(cities.map(\.name) == (0..<3_000).map { "City \($0)" })
      #expect(cities[7].code == "a\u{0}b" && cities[8].code == nil)
    }
    // Few rows are not copied.
    try schema.run("DELETE FROM \"City\" WHERE population > 1")
    for _ in 0..<3 { #expect(try store.object(of: City.self).map(\.population) == [0, 1]) }
    try store.removeAll(of: City.self)
    #expect(try store.object(of: City.self).isEmpty)
  }

  @Test func aValueThatCannotBeReadLeavesTheTransactionOpen() throws {
    try store.update(contentsOf: (0..<1_000).map { Gauge("\($0)") })
    try schema.run("UPDATE \"Gauge\" SET level = 1000 WHERE name = '500'")
    try store.transaction { transaction in
      #expect(code { _ = try transaction.object(of: Gauge.self) } == .cannotDecode)
      try transaction.update(City("Oslo"))
    }
    #expect(try store.object(of: City.self).map(\.name) == ["Oslo"])
    try store.read { snapshot in
      #expect(code { _ = try snapshot.object(of: Gauge.self) } == .cannotDecode)
      let cities = try snapshot.object(of: City.self)
      #expect(cities.count == 1)
    }
    #expect(code { _ = try store.object(of: Gauge.self) } == .cannotDecode)
    #expect(try store.object(of: City.self).count == 1)
  }

  @Test(arguments: [1, 2, 7]) func membersOfManyOwnersAreRead(_ step: Int) throws {
    let teams = (0..<1_400).map { index in
      let team = Team("\(index)", (0..<index % 4).map { Player("\(index) \($0)") })
      if let first = team.members.first { team.roles = ["first": first, "again": first] }
      return team
    }
    try store.update(contentsOf: teams)
    // The row IDs of the owners and of the members have gaps, of which some are large.
    try store.remove(contentsOf: teams.enumerated().filter { $0.offset % step != 0 }.map(\.element))
    for team in try store.object(of: Team.self) {
      let index = Int(team.name) ?? -1
      #expect(index % step == 0)
      #expect(team.members.map(\.name) == (0..<index % 4).map { "\(index) \($0)" })
      #expect(team.roles.count == (index % 4 > 0 ? 2 : 0))
      #expect(team.roles["again"]?.zIndex == team.members.first?.zIndex)
    }
    #expect(try store.query(Team.self).count() == (1_400 + step - 1) / step)
  }

  @Test func newObjectsOfAGraphAreInsertedTogether() throws {
    let players = (0..<3_000).map { Player("\($0)") }
    for (player, partner) in zip(players, players.dropFirst()) { player.partner = partner }
    players[2_999].partner = players[0]
    let teams = (0..<500).map { Team("\($0)", [players[$0], players[2_999 - $0]]) }
    try store.update(contentsOf: teams)
    let found = try schema.open().object(of: Team.self)
    #expect(found.map(\.name) == (0..<500).map(String.init))
    for (index, team) in found.enumerated() {
      #expect(team.members.map(\.name) == ["\(index)", "\(2_999 - index)"])
      #expect(team.members[0].partner?.name == "\(index + 1)")
    }
    #expect(found[0].members[1].partner?.zIndex == found[0].members[0].zIndex)
    #expect(try store.query(Player.self).count() == 3_000)
  }

  @Test func manyObjectsWhoseValuesExistAreUpdated() throws {
    try store.update(contentsOf: (0..<3_000).map { City("City \($0)") })
    let again = (0..<3_000).map { City("City \($0)", population: $0 + 1) }
    try store.update(contentsOf: again)
    #expect(try store.object(of: City.self).map(\.population) == Array(1...3_000))
    let objects = try store.object(of: City.self)
    for city in objects { city.population += 1 }
    try schema.run("DELETE FROM \"City\" WHERE population = 2500")
    #expect(code { try store.update(contentsOf: objects) } == .notFound)
    #expect(try store.query(City.self).where(\.$population == 3_000).count() == 1)
  }

  @Test func aUniqueValueThatExistsRefusesAllNewObjects() throws {
    let cities = (0..<500).map { City("City \($0)") }
    cities[400].code = "x"
    try store.update(contentsOf: cities)
    let others = (500..<1_000).map { City("City \($0)") }
    others[450].code = "x"
    #expect(code { try store.update(contentsOf: others) } == .notUnique)
    #expect(try store.query(City.self).count() == 500)
    others[450].code = "y"
    try store.update(contentsOf: others)
    #expect(try store.query(City.self).count() == 1_000)
  }

  /// Changes the type of a column, as a migration by another process does.
  private func migrateBesideTheStore() throws {
    try schema.run(
      """
      ALTER TABLE "City" ALTER population TYPE text USING 'none';
      UPDATE magic_types SET version = version + 1, fingerprint = '' WHERE table_name = 'City';
      UPDATE magic_format SET migrations = migrations + 1
      """)
  }

  @Test func aColumnWhoseTypeHasChangedIsNotRead() throws {
    try store.update(contentsOf: (0..<1_000).map { City("City \($0)", population: $0) })
    #expect(try store.object(of: City.self).count == 1_000)
    try migrateBesideTheStore()
    #expect(code { _ = try store.object(of: City.self) } == .newerSchema)
  }

  @Test func aColumnWhoseTypeHasChangedIsNotReadInASnapshot() throws {
    try store.update(contentsOf: (0..<1_000).map { City("City \($0)", population: $0) })
    try store.update(Match("here"))
    #expect(try store.object(of: City.self).count == 1_000)
    var isMigrated = false
    let failure = code {
      try store.read { snapshot in
        #expect(try snapshot.object(of: Match.self).count == 1)
        if !isMigrated { try migrateBesideTheStore() }
        isMigrated = true
        _ = try snapshot.object(of: City.self)
      }
    }
    #expect(failure == .newerSchema)
  }

  @Test func aColumnOfSmallerIntegersIsRead() throws {
    try store.update(contentsOf: (0..<1_000).map { City("City \($0)", population: $0) })
    try schema.run("ALTER TABLE \"City\" ALTER population TYPE integer")
    #expect(try store.object(of: City.self).map(\.population) == Array(0..<1_000))
  }
}
