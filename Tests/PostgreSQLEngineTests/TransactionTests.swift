import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Transactions of two processes at the same time.
@Suite(.requiresPostgreSQL) struct TransactionTests {
  /// A point that two bodies reach before one of them continues. Later calls do not wait.
  private final class Meeting: Sendable {
    private let first = DispatchSemaphore(value: 0)
    private let second = DispatchSemaphore(value: 0)

    func reach(_ isFirst: Bool) {
      (isFirst ? second : first).signal()
      _ = (isFirst ? first : second).wait(timeout: .now() + 2)
    }
  }

  /// Runs a body for each of two databases, in as many tasks as given.
  private func inTwoProcesses(
    _ count: Int, _ body: @escaping @Sendable (MagicData, Int) async throws -> Void
  ) async throws -> MagicData {
    let schema = try TestSchema()
    let both = [try await schema.openMagicData(), try await schema.openMagicData()]
    // The tables exist before the tasks begin.
    try await both[0].update(Team(""))
    try await both[0].update(City("", population: 0))
    try await both[0].update(Ticket(""))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count { group.addTask { try await body(both[index % 2], index) } }
      try await group.waitForAll()
    }
    await both[1].close()
    return both[0]
  }

  @Test func noConditionAcrossRowsIsBroken() async throws {
    let schema = try TestSchema()
    let both = [try await schema.openMagicData(), try await schema.openMagicData()]
    try await both[0].update(contentsOf: [City("Ann", population: 1), City("Bob", population: 1)])
    let (meeting, runs) = (Meeting(), Recorder<Int>())
    // At least one of the two stays on duty.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, name) in ["Ann", "Bob"].enumerated() {
        group.addTask {
          try await both[index].transaction { transaction in
            runs.note(index)
            let all = try transaction.object(of: City.self)
            if runs.count <= 2 { meeting.reach(index == 0) }
            guard all.map(\.population).reduce(0, +) > 1 else { return }
            let own = try transaction.object(of: City.self, primary: name)
            own.population = 0
            try transaction.update(own)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await both[0].object(of: City.self).map(\.population).reduce(0, +) == 1)
    // Both have read before one has written, so that one of them has run again.
    #expect(runs.count >= 3)
    for magic in both { await magic.close() }
  }

  @Test func anExclusiveBodyRunsOnce() async throws {
    let runs = Recorder<Int>()
    let magic = try await inTwoProcesses(40) { magic, index in
      try await magic.transaction(isolation: .exclusive) { transaction in
        runs.note(index)
        let city = try transaction.object(of: City.self, primary: "")
        city.population += 1
        try transaction.update(city)
      }
    }
    #expect(try await magic.object(of: City.self, primary: "").population == 40)
    #expect(runs.count == 40)
    await magic.close()
  }

  @Test func exclusiveAndConcurrentTransactionsLoseNoUpdate() async throws {
    let magic = try await inTwoProcesses(60) { magic, index in
      let isolation: MagicTransactionIsolation = index % 3 == 0 ? .exclusive : .serializable
      try await magic.transaction(isolation: isolation) { transaction in
        let city = try transaction.object(of: City.self, primary: "")
        city.population += 1
        try transaction.update(city)
      }
    }
    #expect(try await magic.object(of: City.self, primary: "").population == 60)
    await magic.close()
  }

  @Test func aBodyThatIgnoresAConflictRunsAgain() async throws {
    let magic = try await inTwoProcesses(60) { magic, _ in
      try await magic.transaction { transaction in
        let city = try transaction.object(of: City.self, primary: "")
        city.population += 1
        _ = try? transaction.update(city)
      }
    }
    #expect(try await magic.object(of: City.self, primary: "").population == 60)
    await magic.close()
  }

  @Test func aNewObjectOfABodyThatRunsAgainHasOneRow() async throws {
    let schema = try TestSchema()
    let both = [try await schema.openMagicData(), try await schema.openMagicData()]
    try await both[0].update(City("Oslo"))
    try await both[0].update(Match("before"))
    let (meeting, runs) = (Meeting(), Recorder<Int>())
    let matches = [Match("first"), Match("second")]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<2 {
        group.addTask {
          try await both[index].transaction { transaction in
            runs.note(index)
            let city = try transaction.object(of: City.self, primary: "Oslo")
            try transaction.update(matches[index])
            if runs.count <= 2 { meeting.reach(index == 0) }
            city.population += 1
            try transaction.update(city)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(runs.count >= 3)
    let stored = try await both[0].object(of: Match.self)
    #expect(Set(stored.map(\.place)) == ["before", "first", "second"])
    #expect(stored.count == 3)
    #expect(Set(matches.compactMap(\.zIndex)).isSubset(of: Set(stored.compactMap(\.zIndex))))
    for magic in both { await magic.close() }
  }

  @Test func primariesOfTwoProcessesAreAssignedOnce() async throws {
    let numbers = Recorder<Int>()
    let magic = try await inTwoProcesses(60) { magic, index in
      let ticket = Ticket("\(index)")
      try await magic.update(ticket)
      numbers.note(ticket.number)
    }
    #expect(numbers.count == 60)
    #expect(Set(try await magic.object(of: Ticket.self).map(\.number)).count == 61)
    await magic.close()
  }

  @Test func aPrimaryOfTwoProcessesIsInsertedOnce() async throws {
    let refused = Recorder<Int>()
    let magic = try await inTwoProcesses(40) { magic, index in
      do {
        try await magic.insert(City("city \(index / 2)", population: index))
      } catch let error as MagicError {
        #expect(error.code == .notUnique)
        refused.note(index)
      }
    }
    #expect(refused.count == 20)
    #expect(try await magic.object(of: City.self).count == 21)
    await magic.close()
  }

  @Test func membersThatTwoProcessesAppendAreKept() async throws {
    let magic = try await inTwoProcesses(40) { magic, index in
      try await magic.transaction { transaction in
        let team = try transaction.object(of: Team.self)[0]
        team.members.append(Player("\(index)"))
        try transaction.update(team)
      }
    }
    let members = try await magic.object(of: Team.self)[0].members
    #expect(Set(members.map(\.name)).count == 40)
    #expect(members.count == 40)
    await magic.close()
  }

  @Test func savesOfFetchedListsKeepTheMembersOfOthers() async throws {
    let magic = try await inTwoProcesses(20) { magic, index in
      let team = try await magic.object(of: Team.self)[0]
      team.members.append(Player("\(index)"))
      try await magic.update(team)
    }
    #expect(Set(try await magic.object(of: Team.self)[0].members.map(\.name)).count == 20)
    await magic.close()
  }

  @Test func eachVersionIsWrittenByOneProcess() async throws {
    let written = Recorder<Int>()
    let magic = try await inTwoProcesses(40) { magic, index in
      let ticket = try await magic.object(of: Ticket.self)[0]
      ticket.title = "\(index)"
      do {
        try await magic.update(ticket)
        written.note(ticket.version)
      } catch let error as MagicError {
        #expect(error.code == .conflict)
      }
    }
    #expect(written.count > 0)
    #expect(Set(written.all).count == written.count)
    #expect(try await magic.object(of: Ticket.self)[0].version == written.all.max())
    await magic.close()
  }

  @Test func referencesToRemovedRowsDoNotStay() async throws {
    let magic = try await inTwoProcesses(40) { magic, index in
      if index % 2 == 0 {
        try await magic.transaction { transaction in
          let partner = try transaction.object(of: Player.self).first
          let player = Player("\(index)")
          player.partner = partner
          try transaction.update(player)
        }
      } else {
        try await magic.transaction { transaction in
          guard let player = try transaction.object(of: Player.self).last else { return }
          try transaction.remove(player)
        }
      }
    }
    let players = try await magic.object(of: Player.self)
    let rows = Set(players.compactMap(\.zIndex))
    #expect(players.allSatisfy { $0.partner?.zIndex.map(rows.contains) ?? true })
    await magic.close()
  }

  @Test func twoProcessesMayUseANewTypeFirst() async throws {
    let schema = try TestSchema()
    let both = [try await schema.openMagicData(), try await schema.openMagicData()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<16 {
        group.addTask {
          let magic = both[index % 2]
          if index % 4 < 2 {
            try await magic.update(Team("\(index)"))
          } else {
            try await magic.transaction { transaction in
              _ = try transaction.update(Team("\(index)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await both[0].object(of: Team.self).count == 16)
    for magic in both { await magic.close() }
  }

  @Test func aFailedSaveDoesNotFailThoseThatShareItsCommit() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("0"))
    let refused = Recorder<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<64 {
        group.addTask {
          do {
            // Each eighth save has a taken primary.
            try await magic.insert(City(index % 8 == 0 ? "0" : "\(index)"))
          } catch let error as MagicError {
            #expect(error.code == .notUnique)
            refused.note(index)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(refused.count == 8)
    #expect(try await magic.object(of: City.self).count == 57)
    await magic.close()
  }

  @Test func theRowsOfAcknowledgedCommitsAreRemoved() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    for index in 0..<1_050 { try await magic.update(City("\(index)")) }
    #expect(try schema.run("SELECT FROM magic_commits").count < 100)
    await magic.close()
  }

  @Test func savesOfManyTasksShareCommits() async throws {
    let schema = try TestSchema()
    let commits = Recorder<Int>()
    var options = PostgresOptions(schema: schema.name)
    options.trace = { if $0.hasSuffix("COMMIT") { commits.note(1) } }
    let magic = try await MagicData(postgres: schema.server.information, options: options)
    try await magic.update(City("first"))
    let before = commits.count
    await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 { group.addTask { try await magic.update(City("\(index)")) } }
    }
    #expect(try await magic.object(of: City.self).count == 201)
    #expect(commits.count - before < 100)
    await magic.close()
  }
}
