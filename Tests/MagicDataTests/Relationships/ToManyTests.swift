import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// An object with to-many relationships.
@Suite(.everyEngine) struct ToManyTests {
  let scratch = Scratch()

  private func stored(_ magic: MagicData, _ name: String = "red") async throws -> Team {
    try await magic.object(of: Team.self, primary: name)
  }

  @Test func anArrayKeepsOrderAndDuplicates() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    let (ann, bob) = (Player("ann"), Player("bob"))
    team.players = [bob, ann, bob, bob]
    try await magic.update(team)
    #expect(try await stored(magic).players.map(\.name) == ["bob", "ann", "bob", "bob"])
    #expect(try await magic.object(of: Player.self).count == 2)
    let again = try await stored(magic)
    #expect(again.players[0].isSameRow(as: bob))
    again.players[0].name = "bea"
    #expect(again.players.map(\.name) == ["bea", "ann", "bea", "bea"])
    again.players.remove(at: 2)
    try await magic.update(again)
    #expect(try await stored(magic).players.map(\.name) == ["bea", "ann", "bea"])
  }

  @Test func aSetHasEachMemberOnce() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    let (ann, bob) = (Player("ann"), Player("bob"))
    team.reserve = [ann, bob, ann]
    #expect(team.reserve.count == 2)
    try await magic.update(team)
    let again = try await stored(magic)
    #expect(again.reserve.map(\.name).sorted() == ["ann", "bob"])
    #expect(again.reserve.contains(ann))
    // The same row from another fetch is the same member.
    again.reserve.insert(try await magic.object(of: Player.self)[0])
    again.reserve.insert(Player("eve"))
    again.reserve.remove(bob)
    try await magic.update(again)
    #expect(try await stored(magic).reserve.map(\.name).sorted() == ["ann", "eve"])
  }

  @Test func aDictionaryRefersByKeys() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    let (ann, bob) = (Player("ann"), Player("bob"))
    team.roles = ["keeper": ann, "coach": ann, "": bob]
    try await magic.update(team)
    let again = try await stored(magic)
    #expect(again.roles.mapValues(\.name) == ["keeper": "ann", "coach": "ann", "": "bob"])
    again.roles["coach"]?.name = "anna"
    #expect(again.roles["keeper"]?.name == "anna")
    again.roles["keeper"] = bob
    again.roles[""] = nil
    try await magic.update(again)
    #expect(try await stored(magic).roles.mapValues(\.name) == ["keeper": "bob", "coach": "anna"])
    #expect(try await magic.object(of: Player.self).count == 2)
  }

  @Test func emptyCollectionsAreFetchedEmpty() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    try await magic.update(team)
    let empty = try await stored(magic)
    #expect(empty.players.isEmpty && empty.reserve.isEmpty && empty.roles.isEmpty)
    empty.players = [Player("ann")]
    empty.reserve = [Player("bob")]
    empty.roles = ["a": Player("eve")]
    try await magic.update(empty)
    let full = try await stored(magic)
    #expect(full.players.count + full.reserve.count + full.roles.count == 3)
    full.players = []
    full.reserve = []
    full.roles = [:]
    try await magic.update(full)
    let again = try await stored(magic)
    #expect(again.players.isEmpty && again.reserve.isEmpty && again.roles.isEmpty)
    #expect(try await magic.object(of: Player.self).count == 3)
    // All collections of the first instance are still empty, so its save changes nothing.
    try await magic.update(empty)
  }

  @Test func membersAreAddedToCollectionsThatWereSavedEmpty() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (red, blue) = (Team("red"), Team("blue"))
    try await magic.update(contentsOf: [red, blue])
    for team in [red, blue] {
      team.players = [Player("\(team.name) 1"), Player("\(team.name) 2")]
      team.reserve = [Player("\(team.name) 3")]
      team.roles = ["a": Player("\(team.name) 4")]
      try await magic.update(team)
      team.players.removeFirst()
      try await magic.update(team)
    }
    for name in ["red", "blue"] {
      let team = try await stored(magic, name)
      #expect(team.players.map(\.name) == ["\(name) 2"])
      #expect(team.reserve.map(\.name) == ["\(name) 3"])
      #expect(team.roles.mapValues(\.name) == ["a": "\(name) 4"])
    }
  }

  @Test func aNewObjectWithAStoredPrimaryAndEmptyCollectionsRemovesTheMembers() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    team.players = [Player("ann")]
    team.reserve = [Player("bob")]
    team.roles = ["a": Player("eve")]
    try await magic.update(team)
    try await magic.update(Team("red"))
    let again = try await stored(magic)
    #expect(again.players.isEmpty && again.reserve.isEmpty && again.roles.isEmpty)
  }

  @Test func aCollectionThatWasNotSetIsMissing() async throws {
    struct Crew: MagicObject {
      @MagicValue var name: String = ""
      @MagicValue var members: [Player]
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let crew = Crew()
    let error = await #expect(throws: MagicError.self) { try await magic.update(crew) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Crew")
    #expect(error?.property == "members")
    #expect(crew.zIndex == nil)
    crew.members = []
    try await magic.update(crew)
    #expect(try await magic.object(of: Crew.self).map(\.members.count) == [0])
  }

  @Test func membersOfSeveralOwnersAreShared() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let players = (0..<20).map { Player("\($0)") }
    let teams = (0..<30).map { number in
      let team = Team("\(number)")
      team.players = players
      team.reserve = MagicalSet(players)
      team.captain = players[number % 20]
      return team
    }
    try await magic.update(contentsOf: teams)
    #expect(try await magic.object(of: Player.self).count == 20)
    let stored = try await magic.object(of: Team.self)
    for player in stored[0].players { player.name += "!" }
    #expect(stored.allSatisfy { team in team.players.allSatisfy { $0.name.hasSuffix("!") } })
    #expect(stored.allSatisfy { team in team.reserve.allSatisfy { $0.name.hasSuffix("!") } })
    #expect(stored.allSatisfy { $0.captain?.name.hasSuffix("!") == true })
    try await magic.update(stored[29])
    #expect(try await magic.object(of: Player.self).allSatisfy { $0.name.hasSuffix("!") })
  }

  @Test func aNewInstanceWithAnExistingPrimaryReplacesTheRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ann, bob, eve) = (Player("ann"), Player("bob"), Player("eve"))
    let first = Team("red")
    first.captain = ann
    first.players = [ann, bob, eve, ann]
    first.reserve = [ann, bob]
    first.roles = ["a": ann, "b": bob]
    let zIndex = try await magic.update(first)
    let second = Team("red")
    second.players = [bob, Player("new"), bob]
    second.reserve = [bob, eve]
    second.roles = ["b": eve, "c": bob]
    #expect(try await magic.update(second) == zIndex)
    let stored = try await stored(magic)
    #expect(stored.captain == nil)
    #expect(stored.players.map(\.name) == ["bob", "new", "bob"])
    #expect(stored.reserve.map(\.name).sorted() == ["bob", "eve"])
    #expect(stored.roles.mapValues(\.name) == ["b": "eve", "c": "bob"])
    let third = Team("red")
    try await magic.update(third)
    let empty = try await self.stored(magic)
    #expect(empty.players.isEmpty && empty.reserve.isEmpty && empty.roles.isEmpty)
    // It can then be changed and saved.
    third.players.append(ann)
    try await magic.update(third)
    #expect(try await self.stored(magic).players.map(\.name) == ["ann"])
    #expect(try await magic.object(of: Player.self).count == 4)
  }

  @Test func aMemberWithAnExistingPrimaryReplacesItsRow() async throws {
    struct League: MagicObject {
      @MagicValue var teams: [Team] = []
      @OptionMagicValue var best: Team?
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let old = Team("red")
    old.players = [Player("ann"), Player("bob")]
    try await magic.update(old)
    let league = League()
    let (one, two) = (Team("red"), Team("red"))
    one.players = [Player("one")]
    two.players = [Player("two"), Player("three")]
    league.teams = [one, two, one]
    league.best = two
    try await magic.update(league)
    let stored = try await magic.object(of: League.self)[0]
    #expect(try await magic.object(of: Team.self).count == 1)
    #expect(stored.teams.count == 3)
    #expect(stored.teams.allSatisfy { $0.isSameRow(as: old) })
    #expect(stored.best?.isSameRow(as: old) == true)
    let names = stored.teams[0].players.map(\.name)
    #expect(names == ["one"] || names == ["two", "three"])
  }

  @Test(.requires(.files)) func aNamedCollectionHasItsTable() async throws {
    struct Bag: MagicObject {
      @MagicValue(.named("what is. in \"it\" 🎒")) var things: [Note] = []
      @MagicValue(.named("x.y")) var keyed: [Int: Note] = [:]
      static var tableName: String { "my \"bag\" of. things 🧳" }
    }
    struct Other: MagicObject {
      @MagicValue(.named("y")) var notes: [Note] = []
      static var tableName: String { "my \"bag\" of. things 🧳.x" }
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let bag = Bag()
    bag.things = [Note("a"), Note("b")]
    bag.keyed = [1: bag.things[0]]
    let other = Other()
    other.notes = [Note("c"), bag.things[1]]
    try await magic.update(bag)
    try await magic.update(other)
    bag.things.insert(Note("d"), at: 1)
    try await magic.update(bag)
    let stored = try await magic.object(of: Bag.self)[0]
    #expect(stored.things.map(\.text) == ["a", "d", "b"])
    #expect(stored.keyed.mapValues(\.text) == [1: "a"])
    #expect(try await magic.object(of: Other.self)[0].notes.map(\.text) == ["c", "b"])
    await magic.close()
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await again.object(of: Bag.self)[0].things.map(\.text) == ["a", "d", "b"])
  }
}
