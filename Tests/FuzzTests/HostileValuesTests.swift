import FuzzTargets
import MagicTestSupport
import Testing

/// Whatever cells hold, they are read for what they are or not at all, and what is not saved stays.
@Suite struct HostileValuesTests {
  @Test func cellsAreReadForWhatTheyAreOrNotAtAll() {
    DrawnInput.each(Effort("HOSTILE", rounds: 25, long: 120), upTo: 120) {
      try HostileValues.run($0)
    }
  }

  @Test(arguments: ValueFlaw.allCases) func aFlawIsFound(_ flaw: ValueFlaw) {
    #expect(
      DrawnInput.firstFinding(among: 200, upTo: 80) { try HostileValues.run($0, flaw: flaw) } != nil
    )
  }
}
