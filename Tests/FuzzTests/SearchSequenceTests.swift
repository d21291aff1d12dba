import FuzzTargets
import MagicTestSupport
import Testing

/// After random edits of several writers, searches find what a model of plain arrays finds.
@Suite struct SearchSequenceTests {
  @Test func searchesFindWhatTheModelFinds() {
    DrawnInput.each(Effort("SEARCH", rounds: 60, long: 1_000), upTo: 400) {
      try SearchSequence.run($0)
    }
  }

  @Test(arguments: SearchFlaw.allCases) func aFlawIsFound(_ flaw: SearchFlaw) {
    #expect(
      DrawnInput.firstFinding(among: 100, upTo: 400) { try SearchSequence.run($0, flaw: flaw) }
        != nil)
  }
}
