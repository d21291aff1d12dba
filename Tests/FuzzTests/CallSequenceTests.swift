import FuzzTargets
import MagicTestSupport
import PostgreSQLTestSupport
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

  @Test(.requiresPostgreSQL) func postgreSQLHasTheSameResultsAsSQLite() throws {
    let engine = try SequenceEngine.postgreSQL()
    DrawnInput.each(Effort("MODEL", rounds: 10, long: 150), upTo: 250) {
      try CallSequence.run($0)
      try CallSequence.run($0, on: engine)
    }
  }

  @Test(
    .requiresPostgreSQL, arguments: [CallFlaw.dropsUpdates, .keepsWhatWasRolledBack, .losesLinks])
  func postgreSQLWithAFlawIsRefused(_ flaw: CallFlaw) throws {
    let engine = try SequenceEngine.postgreSQL()
    let seed = try #require(
      DrawnInput.firstFinding(among: 300, upTo: 200) {
        try CallSequence.run($0, on: engine, flaw: flaw)
      })
    // The flaw is the cause: without it the same calls have no finding.
    var input = DrawnInput(seed: UInt64(seed))
    try CallSequence.run(input.bytes(upTo: 200), on: engine)
  }
}
