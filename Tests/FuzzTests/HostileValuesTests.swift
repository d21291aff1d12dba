import FuzzTargets
import MagicTestSupport
import Testing

/// Any value of a column is read exactly or refused, and saves change no other values.
@Suite struct HostileValuesTests {
  @Test func cellsAreReadExactlyOrRefused() {
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
