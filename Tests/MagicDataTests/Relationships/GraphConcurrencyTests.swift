import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Tasks that share fetched graphs.
@Suite(.everyEngine) struct GraphConcurrencyTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
  }

  private func makeTeam() -> Team {
    let team = Team("red")
    team.players = (0..<50).map { Player("\($0)") }
    team.captain = team.players[0]
    team.reserve = MagicalSet(team.players[..<25])
    team.roles = ["a": team.players[1], "b": team.players[2]]
    for player in team.players { (player.team, player.rival) = (team, team.players[0]) }
    return team
  }

  /// Reads all that a team refers to, until the signal is given.
  private func read(_ team: Team, until stop: Flag) async -> Int {
    var count = 0
    var rounds = 0
    while !stop.isSet || rounds < 20 {
      rounds += 1
      count += team.players.count + team.reserve.count + team.roles.count
      count += team.captain?.name.count ?? 0
      for player in team.players.prefix(10) {
        count += player.team?.players.count ?? 0
        count += player.rival?.name.count ?? 0
      }
      count += team.roles["a"]?.name.count ?? 0
      if let first = team.players.first { count += team.reserve.contains(first) ? 1 : 0 }
      if rounds % 16 == 0 { await Task.yield() }
    }
    return count
  }

  @Test func readersOfFetchedObjectsSeeTheChangesOfAWriter() async throws {
    let magic = try await open()
    let new = makeTeam()
    try await magic.update(new)
    for player in new.players { (player.team, player.rival) = (nil, nil) }
    let team = try await magic.object(of: Team.self, primary: "red")
    let stop = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { #expect(await read(team, until: stop) > 0) }
      }
      group.addTask {
        defer { stop.set() }
        for step in 0..<60 {
          team.players.append(Player("new \(step)"))
          team.players.removeFirst()
          team.captain = step % 3 == 0 ? nil : team.players[step % 40]
          team.reserve.insert(team.players[step % 50])
          team.roles["a"] = team.players[step % 7]
          team.roles["\(step % 5)"] = step % 2 == 0 ? nil : team.players[step % 9]
          team.players[step % 50].name += "."
          team.players[step % 50].rival = team.players[(step + 1) % 50]
          try await magic.update(team)
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(team)
    let stored = try await magic.object(of: Team.self, primary: "red")
    #expect(stored.players.map(\.name) == team.players.map(\.name))
    #expect(stored.reserve.map(\.name).sorted() == team.reserve.map(\.name).sorted())
    #expect(stored.roles.mapValues(\.name) == team.roles.mapValues(\.name))
    #expect(stored.captain?.name == team.captain?.name)
    #expect(stored.players.map { $0.rival?.name } == team.players.map { $0.rival?.name })
  }

  @Test func concurrentChangesAndSavesOfOneGraphLoseNothing() async throws {
    let magic = try await open()
    try await magic.update(Team("red"))
    let team = try await magic.object(of: Team.self, primary: "red")
    let stop = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for step in 0..<100 {
            let player = Player("\(task) \(step)")
            team.players.append(player)
            team.roles["\(task) \(step)"] = player
            team.reserve.insert(player)
            player.rival = Player("rival \(task) \(step)")
            player.rival = Player("last \(task) \(step)")
            if step % 8 == 0 { await Task.yield() }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          while !stop.isSet { try await magic.update(team) }
        }
      }
      for _ in 0..<4 { try await group.next() }
      stop.set()
      try await group.waitForAll()
    }
    try await magic.update(team)
    #expect(team.players.count == 400)
    let stored = try await magic.object(of: Team.self, primary: "red")
    #expect(stored.players.map(\.name) == team.players.map(\.name))
    #expect(stored.roles.mapValues(\.name) == team.roles.mapValues(\.name))
    #expect(stored.roles.count == 400)
    #expect(stored.reserve.count == 400)
    #expect(stored.players.allSatisfy { $0.rival?.name == "last \($0.name)" })
  }

  @Test func fetchesDuringSavesAreConsistent() async throws {
    let magic = try await open()
    let team = Team("red")
    team.players = [Player("0"), Player("0")]
    team.captain = team.players[1]
    try await magic.update(team)
    let stop = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { stop.set() }
        for step in 1...150 {
          // A fetch sees all of the save or none of it.
          for player in team.players { player.name = "\(step)" }
          team.players.append(Player("\(step)"))
          team.captain = team.players.last
          team.roles = ["\(step)": team.players[0]]
          try await magic.update(team)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          repeat {
            let seen = try await magic.object(of: Team.self, primary: "red")
            let step = seen.players.count - 2
            #expect(seen.players.allSatisfy { $0.name == "\(step)" })
            #expect(seen.captain?.name == "\(step)")
            #expect(step == 0 || Array(seen.roles.keys) == ["\(step)"])
          } while !stop.isSet
        }
      }
      try await group.waitForAll()
    }
    #expect(try await magic.object(of: Player.self).count == 152)
  }

  @Test func concurrentFirstReadsOfAFetchReturnTheSameObjects() async throws {
    let magic = try await open()
    let new = makeTeam()
    try await magic.update(new)
    for player in new.players { (player.team, player.rival) = (nil, nil) }
    for _ in 0..<50 {
      let team = try await magic.object(of: Team.self, primary: "red")
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            #expect(team.players.count == 50)
            #expect(team.players[7].team?.reserve.count == 25)
            team.players[task].name += "!"
            #expect(team.reserve.count == 25)
            #expect(team.roles.count == 2)
          }
        }
      }
      #expect(team.players[..<4].allSatisfy { $0.name.hasSuffix("!") })
    }
  }
}
