import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport
import Testing

@Suite(.requiresPostgreSQL) struct RelationshipTests {
  private func players(_ names: String...) -> [Player] { names.map { Player($0) } }

  @Test func aGraphIsSavedAndFetched() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let all = players("Ada", "Bea", "Cem")
    // A circle.
    (all[0].partner, all[1].partner) = (all[1], all[0])
    let team = Team("Reds", [all[2], all[0], all[2]])
    team.fans = [all[1], all[2]]
    team.roles = ["goal": all[0], "\u{0}": all[1]]
    team.matches = [Match("home"), Match("away")]
    try store.update(team)
    let found = try #require(try store.object(of: Team.self).first)
    #expect(found.members.map(\.name) == ["Cem", "Ada", "Cem"])
    #expect(Set(found.fans.map(\.name)) == ["Bea", "Cem"])
    #expect(found.roles["goal"]?.name == "Ada")
    #expect(found.roles["\u{0}"]?.name == "Bea")
    #expect(found.matches.map(\.place) == ["home", "away"])
    #expect(found.members[1].partner?.partner?.name == "Ada")
    #expect(try store.object(of: Player.self).count == 3)
  }

  @Test func changesOfCollectionsAreStored() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let all = players("Ada", "Bea", "Cem", "Dan")
    let team = Team("Reds", [all[0], all[1]])
    (team.fans, team.roles) = ([all[0]], ["goal": all[0]])
    try store.update(team)
    team.members.insert(all[2], at: 1)
    team.members.append(all[3])
    team.members.removeFirst()
    (team.fans, team.roles) = ([all[1], all[2]], ["goal": all[3], "wing": all[0]])
    try store.update(team)
    let found = try #require(try store.object(of: Team.self).first)
    #expect(found.members.map(\.name) == ["Cem", "Bea", "Dan"])
    #expect(Set(found.fans.map(\.name)) == ["Bea", "Cem"])
    #expect(found.roles.mapValues(\.name) == ["goal": "Dan", "wing": "Ada"])
  }

  @Test func aListKeepsItsOrderWhereverMembersAreInserted() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let team = Team("Reds", players("first", "last"))
    try store.update(team)
    // More insertions than there are positions between two members.
    for number in 0..<40 {
      team.members.insert(Player("\(number)"), at: 1)
      try store.update(team)
    }
    let names = try #require(try store.object(of: Team.self).first).members.map(\.name)
    #expect(names == ["first"] + (0..<40).reversed().map(String.init) + ["last"])
  }

  @Test func deleteRulesAreFollowed() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let (ada, bea, oslo) = (Player("Ada"), Player("Bea"), City("Oslo"))
    ada.partner = bea
    ada.home = oslo
    let team = Team("Reds", [ada, bea])
    team.matches = [Match("home")]
    try store.update(team)
    // The default of an optional relationship: the reference is removed.
    try store.remove(bea)
    #expect(try store.object(of: Team.self).first?.members.map(\.name) == ["Ada"])
    #expect(try store.object(of: Player.self).first?.partner == nil)
    #expect(code { try store.remove(oslo) } == .stillReferenced)
    #expect(try store.object(of: City.self).count == 1)
    try store.remove(team)
    #expect(try store.object(of: Match.self).isEmpty)
    #expect(try store.object(of: Player.self).count == 1)
  }

  @Test func aChainOfObjectsIsSavedAndFetched() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let chain = (0..<5_000).map { Player("\($0)") }
    for (player, next) in zip(chain, chain.dropFirst()) { player.partner = next }
    try store.update(chain[0])
    var found = try store.object(of: Player.self).first { $0.zIndex == chain[0].zIndex }
    var count = 0
    while let player = found {
      count += 1
      found = player.partner
    }
    #expect(count == 5_000)
  }
}
