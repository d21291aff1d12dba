import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Members are inserted and removed while owners are saved, by several tasks and handles.
@Suite(.everyEngine) struct ConcurrentRemovalTests {
  let scratch = Scratch()

  struct Member: MagicObject {
    @MagicValue var name: String
    @MagicValue var count: Int = 0
    @ReverseMagicValue(\Team.$all) var teams: AsyncReverseMagicSet<Team>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Team: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var lead: Member?
    @MagicValue var list: [Member] = []
    @MagicValue var all: MagicalSet<Member> = []
    @MagicValue var named: [Int: Member] = [:]
    @OptionMagicValue(.onDelete(.cascade)) var parent: Team?

    init() {}
    init(_ name: String) { self.name = name }
  }

  @Test func noRemovedMemberIsInsertedAgainAndNoReferenceIsBroken()
    async throws
  {
    let options = MagicOptions(durability: .normal, busyTimeout: 60)
    let magic = try await MagicData.onTestedEngine(path: scratch.file(), options: options)
    let other =
      TestedEngine.current.has(.sharedHandles)
      ? try await MagicData.onTestedEngine(path: scratch.file(), options: options) : magic
    let members = (0..<200).map { Member("\($0)") }
    try await magic.update(contentsOf: members)
    let teams = (0..<4).map { Team("\($0)") }
    let seed = Effort.seed("REMOVAL")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, team) in teams.enumerated() {
        group.addTask {
          var random = SeededRandom(seed &+ UInt64(number))
          for round in 0..<60 {
            team.list = Array(members.shuffled(using: &random).prefix(30))
            team.all = MagicalSet(members.shuffled(using: &random).prefix(30))
            team.lead = members[round]
            team.named[round] = members[199 - round]
            members[round].count += 1
            try await (round % 2 == 0 ? magic : other).update(team)
          }
        }
      }
      group.addTask {
        for member in members[..<100] { try await magic.remove(member) }
      }
      group.addTask {
        for _ in 0..<10 {
          let fetched = try await other.object(of: Member.self)
          for member in fetched where (Int(member.name) ?? 0) >= 180 {
            try await other.remove(member)
          }
        }
      }
      group.addTask {
        for _ in 0..<60 {
          for team in try await other.object(of: Team.self) {
            #expect(team.list.allSatisfy { !$0.name.isEmpty }, "MAGIC_REMOVAL_SEED=\(seed)")
          }
          for member in members[150..<160] { _ = try await member.teams.count }
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(contentsOf: teams)
    #expect(
      try await magic.object(of: Member.self)
        .allSatisfy { (100..<180).contains(Int($0.name) ?? 0) }, "MAGIC_REMOVAL_SEED=\(seed)")
    #expect(try await magic.query(Member.self).count() == 80, "MAGIC_REMOVAL_SEED=\(seed)")
    try scratch.expectWhole()
    for team in try await magic.object(of: Team.self) {
      let names = (team.list + team.all + team.named.values).compactMap { Int($0.name) }
      #expect(names.allSatisfy { (100..<180).contains($0) }, "MAGIC_REMOVAL_SEED=\(seed)")
    }
  }

  @Test func concurrentCascadesAndSavesBreakNoReference() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let roots = (0..<20).map { Team("root \($0)") }
    try await magic.update(contentsOf: roots)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<100 {
            let team = Team("\(task) \(round)")
            team.parent = roots[(task * 5 + round) % 20]
            try await magic.update(team)
          }
        }
      }
      group.addTask {
        for root in roots { try await magic.remove(root) }
      }
      try await group.waitForAll()
    }
    // A team whose parent did not exist at the time of its save has none.
    #expect(try await magic.query(Team.self).where(\.$parent != nil).count() == 0)
    try scratch.expectWhole()
  }
}
