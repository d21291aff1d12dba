import MagicQuery
import MagicStore
import Testing

/// Rows that queries and raw SQL have changed.
@Suite struct ScoreTests {
  @Test(arguments: Fixture.withQueries) func everyScoreHasItsExpectedValues(_ fixture: Fixture)
    throws
  {
    try fixture.copy().using { store throws in
      let scores = try store.object(of: Score.self)
      let numbers = Rows.scores.without(Rows.scoresRemoved) + [Rows.insertedScore]
      #expect(scores.map(\.number) == numbers)
      #expect(scores.map(\.total) == numbers.map(ScoresWriting.total))
      let remarks = numbers.map { Exact.text(ScoresWriting.remark($0)) }
      #expect(scores.map { Exact.text($0.remark) } == remarks)
    }
  }

  @Test(arguments: Fixture.withQueries) func theIndexFindsTheChangedValues(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let found = try store.query(Score.self).where { $0.$total > 1000 }.all()
      #expect(found.map(\.number) == Array(21...35))
    }
  }
}
