import FuzzTargets
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// After random edits of several writers, searches find what a model of plain arrays finds.
@Suite struct SearchSequenceTests {
  @Test func searchesFindWhatTheModelFinds() {
    DrawnInput.each(Effort("SEARCH", rounds: 60, long: 1_000), upTo: 400) {
      try SearchSequence.run($0)
    }
  }

  @Test(.requiresPostgreSQL) func searchesOnPostgreSQLFindWhatTheModelFinds() throws {
    let engine = try SequenceEngine.postgreSQL()
    DrawnInput.each(Effort("SEARCH", rounds: 20, long: 300), upTo: 400) {
      try SearchSequence.run($0, on: engine)
    }
  }

  @Test(arguments: SearchFlaw.allCases) func aFlawIsFound(_ flaw: SearchFlaw) {
    #expect(
      DrawnInput.firstFinding(among: 100, upTo: 400) { try SearchSequence.run($0, flaw: flaw) }
        != nil)
  }

  @Test(.requiresPostgreSQL, arguments: SearchFlaw.allCases)
  func aFlawIsFoundOnPostgreSQL(_ flaw: SearchFlaw) throws {
    let engine = try SequenceEngine.postgreSQL()
    #expect(
      DrawnInput.firstFinding(among: 100, upTo: 400) {
        try SearchSequence.run($0, on: engine, flaw: flaw)
      } != nil)
  }
}
