import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLEngine
import PostgreSQLTestSupport
import Testing

/// Tasks whose calls share a transaction or a message, and one of which is cancelled.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct SharedCancellationTests {
  private static let count = 6

  /// The outcome of a call: nil for success.
  private typealias Call = Task<(any Error)?, Never>

  private func call(_ body: @escaping @Sendable () async throws -> Void) -> Call {
    Task {
      do {
        try await body()
        return nil
      } catch {
        return error
      }
    }
  }

  /// Starts saves that share a transaction, which waits for the lock of their table.
  ///
  /// - Returns: the saves. The first one leads.
  private func startSaves(
    _ magic: MagicData, _ schema: TestSchema
  ) async throws -> (saves: [Call], lock: PostgreSQLConnection) {
    let (began, mayEnd) = (Flag(), Flag())
    let other = Task {
      try await magic.transaction(isolation: .exclusive) { _ in
        began.set()
        mayEnd.wait()
      }
    }
    #expect(await eventually { began.isSet })
    var saves: [Call] = []
    for number in 0..<Self.count {
      saves.append(call { try await magic.update(Match("\(number)")) })
      // The saves arrive in this order.
      try await Task.sleep(for: .milliseconds(50))
    }
    let lock = try schema.lock("Match")
    mayEnd.set()
    try await other.value
    #expect(try await eventually { try schema.isAwaited("Match") })
    return (saves, lock)
  }

  @Test(arguments: [0, 3])
  func theOtherSavesOfATransactionSucceed(_ cancelled: Int) async throws {
    let schema = try TestSchema()
    let begins = Recorder<String>()
    var options = PostgresOptions(schema: schema.name)
    options.trace = { if $0.hasPrefix("BEGIN ISOLATION LEVEL SERIALIZABLE") { begins.note($0) } }
    let magic = try await MagicData(postgres: schema.server.information, options: options)
    try await magic.update(Match("first"))
    begins.clear()
    let (saves, lock) = try await startSaves(magic, schema)
    #expect(begins.count == 1)
    saves[cancelled].cancel()
    // The table is still locked.
    #expect(await saves[cancelled].value is CancellationError)
    lock.close()
    for (number, save) in saves.enumerated() where number != cancelled {
      #expect(await save.value == nil)
    }
    let expected = ["first"] + (0..<Self.count).filter { $0 != cancelled }.map { "\($0)" }
    #expect(Set(try await magic.object(of: Match.self).map(\.place)) == Set(expected))
    #expect(try await magic.object(of: Match.self).count == expected.count)
    await magic.close()
  }

  @Test(arguments: [0, 3])
  func theOtherLookUpsOfAMessageSucceed(_ cancelled: Int) async throws {
    let schema = try TestSchema()
    var settings = PostgreSQLSettings(schema.server.information)
    settings.schema = schema.name
    settings.readers = 1
    settings.lookUpMilliseconds = 600_000
    settings.typeCheckNanoseconds = .max
    let magic = MagicData(try PostgreSQLDatabase(settings))
    try await magic.update(contentsOf: (0..<Self.count).map { Gauge("\($0)", level: Int8($0)) })
    // The connection has prepared the statement.
    _ = try await magic.object(of: Gauge.self, primary: "0")
    let (began, mayEnd) = (Flag(), Flag())
    let other = Task {
      try await magic.read { _ in
        began.set()
        mayEnd.wait()
      }
    }
    #expect(await eventually { began.isSet })
    var lookUps: [Call] = []
    for number in 0..<Self.count {
      lookUps.append(
        call {
          let gauge = try await magic.object(of: Gauge.self, primary: "\(number)")
          #expect(gauge.level == Int8(number))
        })
      try await Task.sleep(for: .milliseconds(50))
    }
    let lock = try schema.lock("Gauge")
    mayEnd.set()
    try await other.value
    #expect(try await eventually { try schema.isAwaited("Gauge") })
    lookUps[cancelled].cancel()
    #expect(await lookUps[cancelled].value is CancellationError)
    lock.close()
    for (number, lookUp) in lookUps.enumerated() where number != cancelled {
      #expect(await lookUp.value == nil)
    }
    await magic.close()
  }

  /// Each save is cancelled at a random moment: before it is sent, while it waits for the other saves of its
  /// transaction, or during the commit.
  @Test func aCancelledSaveIsStoredOrThrows() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(Match("first"))
    let stored = try await withThrowingTaskGroup(of: [String].self) { group in
      for task in 0..<16 {
        group.addTask {
          var random = SeededRandom(UInt64(task))
          var stored: [String] = []
          for index in 0..<25 {
            let place = "\(task) \(index)"
            let save = Task { try await magic.update(Match(place)) }
            try await Task.sleep(nanoseconds: UInt64(random.below(4_000_000)))
            save.cancel()
            do {
              _ = try await save.value
              stored.append(place)
            } catch is CancellationError {}
          }
          return stored
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let found = try await magic.object(of: Match.self).map(\.place).filter { $0 != "first" }
    #expect(found.sorted() == stored.sorted())
    // Both outcomes have happened.
    #expect(!stored.isEmpty && stored.count < 400)
    await magic.close()
  }
}
