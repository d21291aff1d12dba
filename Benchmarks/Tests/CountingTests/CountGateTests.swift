import Foundation
import Testing

@testable import Counting

struct CountGateTests {
  private let gate = CountGate(recorded: ["W4": [.allocations: 10, .instructions: 1_000]])

  @Test func numbersWithinTheThresholdPass() {
    let found: [String: [Measure: Double]] = ["W4": [.allocations: 10.2, .instructions: 1_040]]
    #expect(excesses(found) == [])
  }

  @Test func eachExcessIsASentenceWithItsNumberAndThreshold() {
    let found: [String: [Measure: Double]] = ["W4": [.allocations: 11, .instructions: 1_041]]
    #expect(
      excesses(found) == [
        "W4 makes 11.00 allocations for each operation; 10.20 are allowed",
        "W4 takes 1041 instructions for each operation; 1040 are allowed",
      ])
  }

  @Test func oneMoreThanZeroFails() {
    let gate = CountGate(recorded: ["W1": [.rows: 0]])
    let found: [String: [Measure: Double]] = ["W1": [.rows: 0.03]]
    #expect(
      gate.excesses(in: found, measures: [.rows])
        == ["W1 reads 0.03 rows for each operation; 0.02 are allowed"])
  }

  @Test func aSubjectWithoutThresholdFails() {
    let found: [String: [Measure: Double]] = [
      "W4": [.allocations: 10, .instructions: 1_000], "W9": [:],
    ]
    #expect(excesses(found) == ["W9 has no threshold"])
  }

  @Test func aThresholdWithoutSubjectFails() {
    #expect(excesses([:]) == ["W4 has thresholds, but was not counted"])
  }

  @Test func aMeasureWithoutThresholdFails() {
    let found: [String: [Measure: Double]] = [
      "W4": [.allocations: 10, .instructions: 1_000, .rows: 1]
    ]
    #expect(excesses(found) == ["W4 has no threshold for rows"])
  }

  @Test func aThresholdWithoutACountFailsIfItsMeasureIsSupported() {
    let found: [String: [Measure: Double]] = ["W4": [.allocations: 10]]
    #expect(
      excesses(found) == ["W4 has a threshold for instructions, which were not counted"])
    #expect(gate.excesses(in: found, measures: [.allocations]) == [])
  }

  @Test func recordedNumbersAreRead() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try gate.write(path: folder.path + "/counts.json")
    let read = try CountGate(path: folder.path + "/counts.json")
    let found: [String: [Measure: Double]] = ["W4": [.allocations: 11, .instructions: 1_000]]
    #expect(read.excesses(in: found, measures: Measure.allCases).count == 1)
  }

  private func excesses(_ found: [String: [Measure: Double]]) -> [String] {
    gate.excesses(in: found, measures: Measure.allCases)
  }
}
