import Testing
import Workloads

@testable import Measuring

struct ResultTests {
  @Test func ratiosAreOfNeighbouringRuns() {
    let result = WorkloadResult(
      name: "W1", title: "", durability: .full, operations: 2, target: nil,
      engines: [
        EngineResult(engine: "C", seconds: [1, 2, 4], peak: nil),
        EngineResult(engine: "M", seconds: [3, 2, 8], peak: nil),
      ])
    #expect(result.ratios(of: "M") == Spread([3, 1, 2]))
    #expect(result.ratios(of: "other") == nil)
    #expect(result.nanoseconds(result.engines[0]) == 1e9)
  }

  @Test func aTargetIsMetWhereTheMedianIsNotAbove() {
    let result = Samples.result(target: 1.5, others: ["M": [1, 1.5, 9], "N": [1.6]])
    #expect(result.meetsTarget("M") == true)
    #expect(result.meetsTarget("N") == false)
    #expect(result.meetsTarget("O") == nil)
    #expect(Samples.result(others: ["M": [1]]).meetsTarget("M") == nil)
  }

  @Test func theGateSaysWhatExceeds() {
    let gate = Gate(["W1": 1.5, "W2": 2, "W1, MiB": 3])
    let results = [
      Samples.result(peak: 4 << 20, others: ["M": [1.6]]), Samples.result("W3", others: ["M": [1]]),
    ]
    #expect(
      gate.excesses(of: "M", in: results) == [
        "W1 takes 1.60 of the time of C; 1.50 is allowed", "W3 has no threshold",
        "W1 takes 4.00 MiB; 3.00 are allowed",
        "W2 has a threshold, but was not measured",
      ])
  }

  @Test func theGateIsSilentWithinLimits() {
    let gate = Gate(["W1": 1.5, "W1, MiB": 4])
    let result = Samples.result(peak: 4 << 20, others: ["M": [1.4, 1.5, 9]])
    #expect(gate.excesses(of: "M", in: [result]).isEmpty)
  }

  @Test func theGateMissesAnEngineThatWasNotMeasured() {
    #expect(
      Gate(["W1": 1]).excesses(of: "N", in: [Samples.result(others: ["M": [1]])])
        == ["W1 was not measured with N"])
  }
}
