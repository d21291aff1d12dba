import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private class Base: CustomReflectable, @unchecked Sendable {
  @MagicValue var inherited: String = "i"
  var customMirror: Mirror { Mirror(self, children: ["mine": 1]) }
}

private final class Derived: Base, MagicObject, @unchecked Sendable {
  @MagicValue var own: Int = 2
  override required init() {}
}

private func shown(_ object: some MagicObject) -> [String: String] {
  let children = Mirror(reflecting: object).children.map { ($0.label ?? "", "\($0.value)") }
  return Dictionary(uniqueKeysWithValues: children)
}

@Suite(.everyEngine) struct MirrorTests {
  let scratch = Scratch()

  @Test func aMirrorHasTheNamesAndValuesOfProperties() {
    let object = Everything()
    let mirror = Mirror(reflecting: object)
    #expect(mirror.displayStyle == .struct)
    #expect(mirror.children.map(\.label).prefix(3) == ["id", "text", "count"])
    #expect(mirror.children.map(\.label).last == "plain")
    #expect(shown(object)["text"] == "–")
    #expect(shown(object)["id"] == "–")
    #expect(shown(object)["plain"] == "1")
    #expect(mirror.descendant("list", 1) as? String == "y")
    object.text = "a"
    #expect(Mirror(reflecting: object).descendant("text") as? String == "a")
    #expect(mirror.descendant("text") as? String == nil)
    #expect(Mirror(reflecting: Page()).displayStyle == .class)
  }

  @Test func dumpShowsAFewLines() {
    let team = Team("Reds")
    let ann = Player("Ann")
    team.captain = ann
    ann.team = team
    var text = ""
    dump(team, to: &text)
    #expect(text.contains(#"name: "Reds""#))
    #expect(text.contains("captain: Player(unsaved)"))
    #expect(text.split(separator: "\n").count == 4)
  }

  @Test func aDescriptionHasTheRowAndTheProperties() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("Reds")
    let ann = Player("Ann")
    team.captain = ann
    ann.team = team
    #expect("\(Player())" == "Player(unsaved, name: –, team: –)")
    try await magic.update(team)
    let fetched = try await magic.object(of: Team.self)[0]
    #expect("\(fetched)" == #"Team(row 1, key: "reds", name: "Reds", captain: Player(row 1))"#)
    #expect(String(reflecting: fetched.captain!).contains("team: Team(row 1)"))
  }

  @Test func relationshipsAreShownWithoutReadingTheDatabase() async throws {
    let recorder = Recorder<String>()
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger(), logsValues: false))
    let league = League()
    league.teams = [Team("Reds"), Team("Blues")]
    league.stars = [Player("Ann")]
    league.lazyTeam = .init(value: [Team("Greens")])
    #expect(shown(league)["lazyTeam"] == "1 Team")
    try await magic.update(league)
    let fetched = try await magic.object(of: League.self)[0]
    let player = try await magic.object(of: Player.self)[0]
    recorder.clear()
    #expect(shown(fetched)["teams"] == "2 Team")
    #expect(shown(fetched)["stars"] == "1 Player")
    #expect(shown(fetched)["byShirt"] == "0 Player")
    #expect(shown(fetched)["lazyTeam"] == "lazy")
    #expect(shown(player)["leagues"] == "AsyncReverseMagicSet<League>")
    recorder.expectRan(0)
  }

  @Test func aTypeWithAMirrorOfItsOwnIsStored() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Derived())
    let fetched = try await magic.object(of: Derived.self)[0]
    #expect(fetched.inherited == "i" && fetched.own == 2)
    #expect(Mirror(reflecting: fetched).children.map(\.label) == ["mine"])
  }

  @Test func aTypeThatCannotBeStoredIsShown() {
    struct Invalid: MagicObject {
      @MagicValue var zIndex: Int = 1
      init() {}
    }
    #expect(Mirror(reflecting: Invalid()).children.count == 1)
    #expect("\(Invalid())" == "Invalid")
  }
}
