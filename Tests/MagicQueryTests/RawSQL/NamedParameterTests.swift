import MagicQuery
import MagicStatements
import Testing

/// Parameters with names.
@Suite struct NamedParameterTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  private func expectError(
    _ message: String, at location: SourceLocation = #_sourceLocation, _ read: () throws -> Void
  ) {
    let error = #expect(throws: MagicError.self, sourceLocation: location) { try read() }
    #expect(error?.code == .invalidQuery, sourceLocation: location)
    #expect(error?.message == message, sourceLocation: location)
  }

  @Test func aValueIsBoundToItsName() throws {
    let statement = fleet.store.sql("SELECT name FROM Sailor WHERE age >= :age ORDER BY age")
    #expect(try statement.bind("age", to: 30).rows(String.self) == ["Ada", "Cy"])
    #expect(try statement.bind("age", to: 30).bind("age", to: 40).rows(String.self) == ["Cy"])
    #expect(try statement.bind("age", to: Int?.none).rows(String.self) == [])
  }

  @Test func aNameMayOccurSeveralTimesAndBetweenOtherValues() throws {
    let ada = try fleet.store.object(of: Sailor.self, primary: "ada")
    let row = try fleet.store.sql(
      "SELECT :x, \(1), @x + \(2), $y, (SELECT name FROM Sailor WHERE z_index = :ada)"
    )
    .bind("x", to: 5).bind("y", to: "z").bind("ada", to: ada)
    .row(Int.self, Int.self, Int.self, String.self, String.self)
    #expect(try #require(row) == (5, 1, 7, "z", "Ada"))
  }

  @Test func aMissingValueAndAMissingParameterAreErrors() throws {
    let statement = fleet.store.sql("SELECT name FROM Sailor WHERE age >= :age")
    expectError("The parameter :age of the SQL has no value. Set it with bind(\"age\", to: …).") {
      _ = try statement.rows(String.self)
    }
    expectError("The SQL has no parameter :aeg, but a value was bound to it.") {
      _ = try statement.bind("age", to: 1).bind("aeg", to: 1).rows(String.self)
    }
    expectError(
      "The SQL has 1 parameters without a name, but 0 values were interpolated. Interpolate each "
        + "value outside quotes and comments."
    ) { _ = try fleet.store.sql("SELECT ?, :x").bind("x", to: 1).rows() }
  }

  @Test func aStatementThatWritesHasNamesToo() throws {
    let changed = try fleet.store.sql("UPDATE Sailor SET age = :age WHERE name = :name")
      .bind("age", to: 50).bind("name", to: "Bob").run()
    #expect(changed == 1)
    #expect(try fleet.store.object(of: Sailor.self, primary: "bob").age == 50)
  }
}
