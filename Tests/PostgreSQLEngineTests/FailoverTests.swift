import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// The loss of a primary server while tasks save. Each test prints its figures, for
/// Tests/RELIABILITY.md. `MAGIC_POSTGRES_ROUNDS` sets the number of rounds.
@Suite(.requiresPostgreSQL, .serialized) struct FailoverTests {
  private var rounds: Int {
    ProcessInfo.processInfo.environment["MAGIC_POSTGRES_ROUNDS"].flatMap(Int.init) ?? 1
  }

  /// What tasks have saved.
  private struct Saves {
    var acknowledged: [String] = []
    var uncertain: [String] = []
    var failed: [String] = []
    /// The longest time between two acknowledged saves.
    var pause = 0.0
  }

  /// What a server has of the acknowledged saves.
  private struct Findings: CustomStringConvertible {
    var acknowledged = 0
    var uncertain = 0
    var failed = 0
    var lost = 0
    var doubled = 0
    var pauses: [Double] = []

    mutating func add(_ saves: Saves, _ stored: [String]) {
      let counts = Dictionary(stored.map { ($0, 1) }, uniquingKeysWith: +)
      acknowledged += saves.acknowledged.count
      uncertain += saves.uncertain.count
      failed += saves.failed.count
      lost += saves.acknowledged.count { counts[$0] == nil }
      doubled += counts.values.count { $0 > 1 }
      pauses.append(saves.pause)
    }

    var description: String {
      let (least, most) = (pauses.min() ?? 0, pauses.max() ?? 0)
      return "\(pauses.count) rounds: \(acknowledged) acknowledged, \(lost) lost, \(doubled) "
        + "doubled, \(uncertain) uncertain, \(failed) failed, pause "
        + String(format: "%.2f to %.2f s", least, most)
    }
  }

  /// Saves in 64 tasks until a time after an event.
  private func save(
    _ magic: MagicData, during event: @escaping @Sendable () async throws -> Void
  ) async throws -> Saves {
    let isOver = Recorder<Bool>()
    return try await withThrowingTaskGroup(of: Saves.self) { group in
      for task in 0..<64 {
        group.addTask {
          var (saves, index, last) = (Saves(), 0, Date())
          while isOver.count == 0 {
            index += 1
            let place = "\(task) \(index)"
            do {
              try await magic.update(Match(place))
              saves.acknowledged.append(place)
            } catch let error as MagicError where error.code == .uncertain {
              saves.uncertain.append("\(place): \(error.cause.map { "\($0)" } ?? "")")
            } catch {
              saves.failed.append("\(place): \(error)")
            }
            saves.pause = max(saves.pause, -last.timeIntervalSinceNow)
            last = Date()
          }
          return saves
        }
      }
      group.addTask {
        defer { isOver.note(true) }
        try await Task.sleep(nanoseconds: 300_000_000)
        try await event()
        try await Task.sleep(nanoseconds: 300_000_000)
        return Saves()
      }
      var all = Saves()
      for try await saves in group {
        all.acknowledged += saves.acknowledged
        all.uncertain += saves.uncertain
        all.failed += saves.failed
        all.pause = max(all.pause, saves.pause)
      }
      return all
    }
  }

  private func stored(on server: PostgreSQLServer) throws -> [String] {
    let result = try server.connect().execute("SELECT place FROM \"Match\"")
    return (0..<result.count).map { result.text($0, 0) }
  }

  @Test func noAcknowledgedSaveIsLostOrDoubledWithASynchronousStandby() async throws {
    var findings = Findings()
    for _ in 0..<rounds {
      let primary = try PostgreSQLServer()
      let standby = try PostgreSQLServer(standbyOf: primary)
      try primary.requireStandby()
      let magic = try await MagicData(
        postgres: PostgreSQLServer.information([primary, standby]))
      try await magic.update(Match("first"))
      let saves = try await save(magic) {
        try primary.kill()
        try standby.promote()
      }
      findings.add(saves, try stored(on: standby))
      #expect(saves.failed.prefix(3).isEmpty)
      #expect(saves.uncertain.prefix(3).isEmpty)
      await magic.close()
      primary.stop()
      standby.stop()
    }
    print("Failover, synchronous standby: \(findings)")
    #expect(findings.lost == 0)
    #expect(findings.doubled == 0)
    #expect(findings.acknowledged > 64 * rounds)
  }

  /// The check finds losses: a standby that is behind does not have all acknowledged saves.
  @Test func savesAreLostWithAStandbyThatIsBehind() async throws {
    var findings = Findings()
    for _ in 0..<rounds {
      let primary = try PostgreSQLServer()
      let standby = try PostgreSQLServer(standbyOf: primary)
      let magic = try await MagicData(
        postgres: PostgreSQLServer.information([primary, standby]))
      try await magic.update(Match("first"))
      // The standby has the table.
      while (try? stored(on: standby))?.isEmpty ?? true {
        try await Task.sleep(nanoseconds: 20_000_000)
      }
      let saves = try await save(magic) {
        try standby.disconnect()
        try await Task.sleep(nanoseconds: 300_000_000)
        try primary.kill()
        try standby.promote()
      }
      findings.add(saves, try stored(on: standby))
      await magic.close()
      primary.stop()
      standby.stop()
    }
    print("Failover, standby that is behind: \(findings)")
    #expect(findings.lost > 0)
    #expect(findings.doubled == 0)
  }

  @Test func noAcknowledgedSaveIsLostOrDoubledWhenTheServerCrashes() async throws {
    var findings = Findings()
    let server = try PostgreSQLServer(settings: ["fsync=on", "full_page_writes=on"])
    let magic = try await MagicData(postgres: server.information)
    for _ in 0..<rounds {
      _ = try? server.connect().execute("TRUNCATE \"Match\" CASCADE")
      let saves = try await save(magic) {
        try server.kill()
        try server.start()
      }
      findings.add(saves, try stored(on: server))
      #expect(saves.failed.prefix(3).isEmpty)
      #expect(saves.uncertain.prefix(3).isEmpty)
    }
    print("Crash of the server: \(findings)")
    #expect(findings.lost == 0)
    #expect(findings.doubled == 0)
    await magic.close()
    server.stop()
  }

  @Test func incrementsAreMadeOnceWhenTheServerIsReplaced() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    try primary.requireStandby()
    let magic = try await MagicData(postgres: PostgreSQLServer.information([primary, standby]))
    try await magic.update(City("Oslo"))
    let isOver = Recorder<Bool>()
    let made = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          while isOver.count == 0 {
            try await magic.transaction { transaction in
              let city = try transaction.object(of: City.self, primary: "Oslo")
              city.population += 1
              try transaction.update(city)
            }
            count += 1
          }
          return count
        }
      }
      group.addTask {
        defer { isOver.note(true) }
        try await Task.sleep(nanoseconds: 200_000_000)
        try primary.kill()
        try standby.promote()
        try await Task.sleep(nanoseconds: 200_000_000)
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(try await magic.object(of: City.self)[0].population == made)
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func aStandbyRefusesWrites() async throws {
    let primary = try PostgreSQLServer()
    let magic = try await MagicData(postgres: primary.information)
    try await magic.update(Match("first"))
    let standby = try PostgreSQLServer(standbyOf: primary)
    let reader = try await MagicData(postgres: standby.information)
    #expect(try await reader.object(of: Match.self).count == 1)
    await #expect(throws: MagicError.self) { try await reader.update(Match("second")) }
    do {
      try await reader.update(Match("second"))
    } catch let error as MagicError {
      #expect(error.code == .readOnly)
    }
    // The same database writes as soon as the server does.
    try primary.kill()
    try standby.promote()
    try await reader.update(Match("third"))
    #expect(try await reader.object(of: Match.self).count == 2)
    await reader.close()
    await magic.close()
    primary.stop()
    standby.stop()
  }
}
