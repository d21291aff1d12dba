import FuzzTargets
import MagicTestSupport
import Testing

/// Random sequences of calls have the same results as a model of plain dictionaries.
@Suite struct CallSequenceTests {
  @Test func callsHaveTheSameResultsAsTheModel() {
    DrawnInput.each(Effort("MODEL", rounds: 30, long: 150), upTo: 250) { try CallSequence.run($0) }
  }

  @Test(arguments: CallFlaw.allCases) func aFlawIsFound(_ flaw: CallFlaw) {
    #expect(
      DrawnInput.firstFinding(among: 300, upTo: 200) { try CallSequence.run($0, flaw: flaw) } != nil
    )
  }
}
