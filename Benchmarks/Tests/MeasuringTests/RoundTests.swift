import Testing
import Workloads

@testable import Measuring

struct RoundTests {
  @Test func twoEnginesTakeTurnsAtBeginning() {
    #expect((0..<4).map { Rounds.order(of: 2, round: $0) } == [[1, 0], [0, 1], [1, 0], [0, 1]])
  }

  @Test func everyEngineIsFirstEquallyOften() {
    let firsts = (0..<30).map { Rounds.order(of: 5, round: $0)[0] }
    #expect((0..<5).allSatisfy { engine in firsts.count { $0 == engine } == 6 })
  }

  @Test func manyEnginesChangeNeighbours() {
    let orders = (0..<6).map { Rounds.order(of: 3, round: $0) }
    #expect(orders.contains([1, 2, 0]) && orders.contains([0, 2, 1]))
    #expect(orders.allSatisfy { $0.sorted() == [0, 1, 2] })
  }

  @Test func everyRunIsMeasuredAndReported() async throws {
    var told: [String] = []
    let measurement = Measurement(try named("W4"), engines: [IdleEngine.self], settings: settings)
    let result = try await measurement.result { told.append($0) }
    #expect(told == ["warming up", "run 1 of 2", "run 2 of 2", "timing operations"])
    #expect(measurement.rounds == told.count)
    #expect(result.engines[0].seconds.count == 2)
    #expect(result.engines[0].latencies?.count == 1)
  }

  @Test(arguments: ["W1", "W3"])
  func differentSumsFail(_ workload: String) async throws {
    let engines: [any Engine.Type] = [IdleEngine.self, WrongEngine.self]
    let measurement = Measurement(try named(workload), engines: engines, settings: settings)
    await #expect(throws: Disagreement.self) { try await measurement.result() }
  }

  @Test(arguments: ["W1", "W6", "M1"])
  func missingWritesAreDetected(_ workload: String) async throws {
    let engines: [any Engine.Type] = [IdleEngine.self, ForgetfulEngine.self]
    let measurement = Measurement(try named(workload), engines: engines, settings: settings)
    await #expect(throws: Disagreement.self) { try await measurement.result() }
  }

  @Test(arguments: ["W1", "W3", "W6n", "M1"])
  func anEngineWithoutSupportIsOmitted(_ workload: String) async throws {
    let engines: [any Engine.Type] = [IdleEngine.self, UnableEngine.self]
    let measurement = Measurement(try named(workload), engines: engines, settings: settings)
    #expect(try await measurement.result().engines.map(\.engine) == ["C"])
  }

  @Test(arguments: ["W1", "W3"])
  func aWorkloadThatTheBaseDoesNotSupportIsRefused(_ workload: String) async throws {
    let engines: [any Engine.Type] = [UnableEngine.self, IdleEngine.self]
    let measurement = Measurement(try named(workload), engines: engines, settings: settings)
    await #expect(throws: Measurement.NoBase.self) { try await measurement.result() }
  }

  private var settings: Measurement.Settings {
    var settings = Measurement.Settings()
    settings.count = 1_000
    settings.runs = 2
    return settings
  }

  private func named(_ name: String) throws -> Workload {
    try #require(Workload.all.first { $0.name == name })
  }
}
