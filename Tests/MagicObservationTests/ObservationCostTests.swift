import EngineConformance
import Foundation
import MagicData
import Testing

/// What observing costs.
@Suite(.everyEngine, .timeLimit(.minutes(1))) struct ObservationCostTests {
  /// Were the rows that were touched gone through for each, ten times the rows would take a hundred
  /// times as long.
  @Test func aLargeWriteTakesTimeInProportion() async throws {
    func seconds(_ count: Int) async throws -> Double {
      let magic = try await MagicData.onTestedEngine(type: .memory)
      var changes = magic.changes(of: Human.self).makeAsyncIterator()
      let start = Date()
      try await magic.update(contentsOf: (0..<count).map { Human("\($0)") })
      try await magic.query(Human.self).update(set: \.$age += 1)
      let time = Date().timeIntervalSince(start)
      #expect(await changes.next()?.inserted.count == count)
      return time
    }
    let few = try await seconds(1_500)
    let many = try await seconds(15_000)
    #expect(many < 35 * few)
  }
}
