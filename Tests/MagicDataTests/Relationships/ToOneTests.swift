import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// An object with a to-one relationship.
@Suite(.everyEngine) struct ToOneTests {
  let scratch = Scratch()

  @Test func itIsSavedAndFetchedWithItsOwner() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let match = Match(Team("red"), Team("blue"))
    match.home.captain = Player("ann")
    try await magic.update(match)
    #expect(match.home.zIndex != nil)
    #expect(match.home.captain?.zIndex != nil)
    let stored = try await magic.object(of: Match.self)
    #expect(stored.map(\.home.name) == ["red"])
    #expect(stored[0].home.captain?.name == "ann")
    #expect(stored[0].guest.name == "blue")
    #expect(stored[0].guest.captain == nil)
    #expect(stored[0].home.isSameRow(as: match.home))
  }

  @Test func replacingItKeepsTheOldRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let match = Match(Team("red"), Team("blue"))
    match.home.captain = Player("ann")
    try await magic.update(match)
    match.home.captain = Player("bob")
    match.guest = Team("green")
    try await magic.update(match)
    #expect(try await magic.object(of: Match.self).map(\.guest.name) == ["green"])
    #expect(try await magic.object(of: Match.self).map(\.home.captain?.name) == ["bob"])
    #expect(try await magic.object(of: Player.self).map(\.name) == ["ann", "bob"])
    #expect(try await magic.object(of: Team.self).map(\.name).sorted() == ["blue", "green", "red"])
  }

  @Test func settingNilClearsItAndKeepsTheRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    team.captain = Player("ann")
    try await magic.update(team)
    for isFetched in [false, true] {
      let owner = isFetched ? try await magic.object(of: Team.self, primary: "red") : team
      owner.captain = nil
      try await magic.update(owner)
      #expect(try await magic.object(of: Team.self, primary: "red").captain == nil)
      owner.captain = try await magic.object(of: Player.self)[0]
      try await magic.update(owner)
      #expect(try await magic.object(of: Team.self, primary: "red").captain?.name == "ann")
    }
    #expect(try await magic.object(of: Player.self).count == 1)
  }

  @Test func aRequiredOneThatWasNeverSetIsMissing() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let match = Match()
    match.home = Team("red")
    let error = await #expect(throws: MagicError.self) { try await magic.update(match) }
    #expect(error?.code == .missingValue)
    #expect(error?.type == "Match")
    #expect(error?.property == "guest")
    #expect(match.home.zIndex == nil)
    #expect(try await magic.object(of: Team.self).isEmpty)
  }

  @Test func severalOwnersShareOne() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    let players = (0..<50).map { Player("\($0)") }
    for player in players { player.team = team }
    try await magic.update(contentsOf: players)
    #expect(try await magic.object(of: Team.self).count == 1)
    let stored = try await magic.object(of: Player.self)
    stored[0].team?.name = "blue"
    #expect(stored.allSatisfy { $0.team?.name == "blue" })
    // Another fetch returns another instance.
    #expect(try await magic.object(of: Player.self)[0].team?.name == "red")
    try await magic.update(stored[49])
    #expect(try await magic.object(of: Player.self)[0].team?.name == "blue")
  }

  @Test func itIsSavedAlsoIfItsOwnerIsUnchanged() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let match = Match(Team("red"), Team("blue"))
    try await magic.update(match)
    let stored = try await magic.object(of: Match.self)[0]
    stored.home.captain = Player("ann")
    stored.home.captain?.rival = Player("bob")
    try await magic.update(stored)
    #expect(try await magic.object(of: Match.self)[0].home.captain?.rival?.name == "bob")
    stored.home.captain?.rival?.name = "eve"
    try await magic.update(stored)
    #expect(try await magic.object(of: Match.self)[0].home.captain?.rival?.name == "eve")
  }

  @Test func itCanBeAnObjectThatIsAlreadySaved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ann = Player("ann")
    try await magic.update(ann)
    let team = Team("red")
    team.captain = ann
    try await magic.update(team)
    team.captain = try await magic.object(of: Player.self)[0]
    try await magic.update(team)
    #expect(try await magic.object(of: Player.self).count == 1)
    #expect(try await magic.object(of: Team.self)[0].captain?.isSameRow(as: ann) == true)
  }

  @Test func aNamedOptionAndADefaultApply() async throws {
    struct Seat: MagicObject {
      @MagicValue var number: Int = 7
    }
    struct Car: MagicObject {
      @MagicValue(.named("driver's \"seat\""), .indexed) var seat: Seat = Seat()
      @OptionMagicValue(.unique) var spare: Seat?
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let cars = [Car(), Car()]
    cars[0].seat.number = 8
    try await magic.update(contentsOf: cars)
    #expect(try await magic.object(of: Car.self).map(\.seat.number) == [8, 7])
    if TestedEngine.current.has(.files) {
      #expect(try scratch.raw().integer("SELECT sum(\"driver's \"\"seat\"\"\") FROM Car") == 3)
    }
    (cars[0].spare, cars[1].spare) = (cars[0].seat, cars[0].seat)
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: cars)
    }
    #expect(error?.code == .notUnique)
    cars[1].spare = cars[1].seat
    try await magic.update(contentsOf: cars)
    #expect(try await magic.object(of: Car.self).map(\.spare?.number) == [8, 7])
  }
}
