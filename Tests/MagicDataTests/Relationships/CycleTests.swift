import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Cycles of objects.
@Suite(.everyEngine) struct CycleTests {
  let scratch = Scratch()

  @Test func twoObjectsThatReferToEachOther() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (team, player) = (Team("red"), Player("ann"))
    (team.captain, player.team) = (player, team)
    try await magic.update(player)
    let stored = try await magic.object(of: Player.self)
    #expect(stored.count == 1)
    #expect(stored[0].team?.captain?.isSameRow(as: player) == true)
    stored[0].team?.captain?.name = "anna"
    #expect(stored[0].name == "anna")
    try await magic.update(try #require(stored[0].team))
    #expect(try await magic.object(of: Team.self)[0].captain?.name == "anna")
    #expect(try await magic.object(of: Team.self).count == 1)
    (team.captain, player.team) = (nil, nil)
  }

  @Test func anObjectThatRefersToItself() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let player = Player("ann")
    player.rival = player
    try await magic.update(player)
    let stored = try await magic.object(of: Player.self)
    #expect(stored.count == 1)
    #expect(stored[0].rival?.rival?.rival?.isSameRow(as: player) == true)
    player.rival = nil
    try await magic.update(player)
    #expect(try await magic.object(of: Player.self)[0].rival == nil)
  }

  struct Left: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var right: Right
  }

  struct Right: MagicObject {
    @MagicValue var left: Left
    @MagicValue var twin: Right
  }

  @Test func aCycleOfTwoRequiredReferences() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (left, right) = (Left(), Right())
    (left.right, right.left, right.twin) = (right, left, right)
    try await magic.update(left)
    #expect(left.id == 1)
    let stored = try await magic.object(of: Left.self, primary: 1)
    #expect(stored.right.left.isSameRow(as: left))
    #expect(stored.right.twin.isSameRow(as: right))
    // A second pair exchanges references with the first.
    let (second, other) = (Left(), Right())
    (second.right, other.left, other.twin) = (other, second, stored.right)
    stored.right.twin = other
    try await magic.update(stored)
    #expect(try await magic.object(of: Left.self).map(\.id) == [1, 2])
    #expect(try await magic.object(of: Right.self).map(\.twin.left.id) == [2, 1])
    let error = await #expect(throws: MagicError.self) { try await magic.update(Right()) }
    #expect(error?.code == .missingValue)
  }

  @Test func aCycleOfManyObjectsIsSavedFromAnyOfThem() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let players = (0..<1_000).map { Player("\($0)") }
    for (index, player) in players.enumerated() { player.rival = players[(index + 1) % 1_000] }
    try await magic.update(players[500])
    var player = try await magic.object(of: Player.self)[0]
    let start = try #require(Int(player.name))
    for step in 0..<2_000 {
      #expect(player.name == "\((start + step) % 1_000)")
      player = try #require(player.rival)
    }
    #expect(try await magic.object(of: Player.self).count == 1_000)
  }

  @Test func everyObjectRefersToEveryObject() async throws {
    struct Node: MagicObject {
      @MagicValue var number: Int = 0
      @OptionMagicValue var best: Node?
      @MagicValue var list: [Node] = []
      @MagicValue var set: MagicalSet<Node> = []
      @MagicValue var keyed: [Int: Node] = [:]
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let nodes = (0..<40).map { _ in Node() }
    for (index, node) in nodes.enumerated() {
      node.number = index
      node.best = nodes[(index * 7 + 3) % 40]
      node.list = nodes.reversed()
      node.set = MagicalSet(nodes)
      node.keyed = Dictionary(uniqueKeysWithValues: zip(0..., nodes))
    }
    try await magic.update(nodes[17])
    let stored = try await magic.object(of: Node.self)
    #expect(stored.count == 40)
    let first = stored[0]
    for node in stored {
      #expect(node.best?.number == (node.number * 7 + 3) % 40)
      #expect(node.list.map(\.number) == (0..<40).reversed())
      #expect(node.set.count == 40)
      #expect(node.keyed.allSatisfy { $0.key == $0.value.number })
      #expect(node.list.contains { $0.isSameRow(as: first) })
    }
    for node in stored {
      node.number += 100
      #expect(first.keyed[node.number - 100]?.number == node.number)
    }
  }

  @Test func allPathsToOneRowReturnOneInstance() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let team = Team("red")
    team.players = (0..<5).map { Player("\($0)") }
    team.captain = team.players[2]
    team.reserve = MagicalSet(team.players)
    team.roles = ["a": team.players[2]]
    for player in team.players { (player.team, player.rival) = (team, team.players[2]) }
    try await magic.update(team)
    let one = try await magic.object(of: Team.self)[0]
    let two = try await magic.object(of: Team.self)[0]
    one.players[2].name = "changed"
    #expect(one.captain?.name == "changed")
    #expect(one.roles["a"]?.name == "changed")
    #expect(one.reserve.filter { $0.name == "changed" }.count == 1)
    #expect(one.players.allSatisfy { $0.rival?.name == "changed" })
    #expect(one.players[4].team?.players[0].rival?.name == "changed")
    one.players[3].team?.captain = nil
    #expect(one.captain == nil)
    one.players[0].team?.players.removeLast()
    #expect(one.players.count == 4)
    #expect(two.captain?.name == "2")
    #expect(two.players.count == 5)
    for player in team.players { (player.team, player.rival) = (nil, nil) }
  }
}
