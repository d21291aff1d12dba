import Testing

@testable import Counting

struct TrialTests {
  @Test func oneTimeCostsAreSubtracted() {
    let trial = trial(few: [Reading(allocations: 100 + 3 * 10)], many: [Reading(allocations: 160)])
    #expect(trial.costs[.allocations] == 3)
  }

  @Test func measuresWithoutCountsHaveNoCost() {
    let trial = trial(few: [], many: [])
    #expect(trial.costs.isEmpty)
  }

  @Test func runsThatDifferAreNotExact() {
    let one = Reading(allocations: 1)
    #expect(trial(few: [one, one], many: [one, one]).isExact)
    #expect(!trial(few: [one, Reading(allocations: 2)], many: [one, one]).isExact)
    #expect(!trial(few: [one, one], many: [one, Reading(allocations: 1, rows: 1)]).isExact)
    #expect(!trial(few: [one, one], many: [one, Reading(allocations: 1, statements: 1)]).isExact)
  }

  @Test func rareAllocationsAreStillExact() {
    var trial = Trial(
      subject: "W4", engine: "C", few: Trial.Part(operations: 1_000),
      many: Trial.Part(operations: 2_000))
    trial.few.readings = [Reading(allocations: 7_000), Reading(allocations: 7_009)]
    #expect(trial.isExact)
    trial.few.readings.append(Reading(allocations: 7_010))
    #expect(!trial.isExact)
  }

  @Test func instructionsAreThoseOfEachOperation() {
    var trial = trial(few: [], many: [])
    trial.few.instructions = [5_000]
    trial.many.instructions = [7_000]
    #expect(trial.costs == [.instructions: 200])
  }

  private func trial(few: [Reading], many: [Reading]) -> Trial {
    var trial = Trial(
      subject: "W4", engine: "C", few: Trial.Part(operations: 10),
      many: Trial.Part(operations: 20))
    trial.few.readings = few
    trial.many.readings = many
    return trial
  }
}
