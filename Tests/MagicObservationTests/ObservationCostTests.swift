import EngineConformance
import Foundation
import MagicData
import Testing

/// The cost of observation.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct ObservationCostTests {
  /// If each row searched all touched rows, ten times the rows would take a hundred times as long.
  /// Other processes can disturb a measurement, so the best of three counts.
  @Test(.requires(.queries)) func theTimeOfALargeWriteIsProportionalToItsRows() async throws {
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
    var ratio = Double.infinity
    for _ in 0..<3 where ratio >= 35 {
      let few = try await seconds(1_500)
      ratio = min(ratio, try await seconds(15_000) / few)
    }
    #expect(ratio < 35)
  }
}
