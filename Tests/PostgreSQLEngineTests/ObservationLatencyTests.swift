import Foundation
import MagicData
import MagicDataPostgres
import PostgreSQLTestSupport
import Testing

/// The time of a save with and without an observer, on a server whose commits are durable.
@Suite(.requiresPostgreSQL, .serialized, .timeLimit(.minutes(5))) struct ObservationLatencyTests {
  @Test func anObservedSaveIsNotMuchSlower() async throws {
    let server = try PostgreSQLServer(settings: ["wal_level=logical", "fsync=on"])
    defer { server.stop() }
    let unobserved = try await Self.median(TestSchema(on: server), .log, isObserved: false)
    for observed in Observed.allCases {
      let time = try await Self.median(TestSchema(on: server), observed, isObserved: true)
      print("A save: \(unobserved) ms, with an observer by the \(observed): \(time) ms")
      // A lost notification would take the interval of the outbox.
      #expect(time < unobserved + 50)
    }
  }

  /// Returns the median time of a save in milliseconds.
  private static func median(
    _ schema: TestSchema, _ observed: Observed, isObserved: Bool
  ) async throws -> Double {
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    let stream = isObserved ? magic.changes(of: Match.self) : nil
    var times: [Double] = []
    for number in 0..<200 {
      let start = DispatchTime.now().uptimeNanoseconds
      try await magic.update(Match("\(number)"))
      times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
    }
    await magic.close()
    if let stream { for await element in stream { #expect(element.inserted.count >= 1) } }
    return times.sorted()[100]
  }
}
