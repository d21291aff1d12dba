import FuzzTargets
import MagicDataPostgres
import MagicStore
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

  /// Each path is a schema of its own.
  private static func postgreSQL() throws -> CallEngine {
    let server = try PostgreSQLServer.shared.get()
    return CallEngine(hasFiles: false, hasSearch: false, hasCollations: true) { path in
      var options = PostgresOptions(schema: String(path.suffix(50)))
      options.readers = 1
      return try MagicObjectStore.open(postgres: server.information, options: options)
    }
  }

  @Test(.requiresPostgreSQL) func postgreSQLHasTheSameResultsAsSQLite() throws {
    let engine = try Self.postgreSQL()
    DrawnInput.each(Effort("MODEL", rounds: 10, long: 150), upTo: 250) {
      try CallSequence.run($0)
      try CallSequence.run($0, on: engine)
    }
  }

  @Test(
    .requiresPostgreSQL, arguments: [CallFlaw.dropsUpdates, .keepsWhatWasRolledBack, .losesLinks])
  func postgreSQLWithAFlawIsRefused(_ flaw: CallFlaw) throws {
    let engine = try Self.postgreSQL()
    let seed = try #require(
      DrawnInput.firstFinding(among: 300, upTo: 200) {
        try CallSequence.run($0, on: engine, flaw: flaw)
      })
    // The flaw is the cause: without it the same calls have no finding.
    var input = DrawnInput(seed: UInt64(seed))
    try CallSequence.run(input.bytes(upTo: 200), on: engine)
  }
}
