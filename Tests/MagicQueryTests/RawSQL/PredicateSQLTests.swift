import MagicQuery
import MagicStatements
import Testing

/// Conditions in SQL as predicates of queries.
@Suite struct PredicateSQLTests {
  private let fleet: Fleet

  init() throws {
    fleet = try Fleet.manned()
    let vessel = Vessel("Elm")
    vessel.berth = 36
    let ada = try fleet.store.object(of: Sailor.self, primary: "ada")
    vessel.captain = ada
    vessel.crew = try fleet.store.object(of: Sailor.self)
    try fleet.store.update(vessel)
  }

  private func names(_ predicate: MagicPredicate<Sailor>) throws -> [String] {
    try fleet.store.query(Sailor.self).where(predicate).order(by: \.$name).all().map(\.name)
  }

  @Test func valuesAreBound() throws {
    let five = 5
    #expect(try names(.sql("age % \(five) = \(0)")) == ["Bob"])
    #expect(try names(.sql("name IN \(values: ["Ada", "Cy"])") && \.$age > 40) == ["Cy"])
    #expect(try names(!.sql("rank = \("cook")")) == ["Ada", "Bob"])
    #expect(try names(.sql("rank IS \(String?.none)")) == ["Bob"])
  }

  @Test func queriesThatDifferInValuesShareAStatementAndOthersDoNot() throws {
    #expect(try names(.sql("age > \(30)")) == ["Ada", "Cy"])
    #expect(try names(.sql("age > \(40)")) == ["Cy"])
    #expect(try names(.sql("age < \(40)")) == ["Ada", "Bob"])
  }

  @Test func namesOfColumnsAreQualifiedInAJoin() throws {
    let vessels = fleet.store.query(Vessel.self)
    let found = try vessels.where(\.$captain.$name == "Ada" && .sql("name = 'Elm'")).all()
    #expect(found.map(\.name) == ["Elm"])
    let column = try vessels.where(
      \.$captain.$name == "Ada" && .sql("\(column: \Vessel.$name) = 'Elm' AND berth_no > 3")
    ).count()
    #expect(column == 1)
    let members = vessels.where { $0.$crew.contains { _ in .sql("name = 'Cy' AND age = \(41)") } }
    #expect(try members.count() == 1)
    let none = try vessels.where { $0.$crew.contains { _ in .sql("name = 'Elm'") } }.count()
    #expect(none == 0)
  }

  @Test func aSubqueryReadsOtherTables() throws {
    #expect(
      try names(.sql("\(column: \Sailor.$age) IN (SELECT berth_no FROM Vessel)")) == ["Ada"])
  }

  @Test func aCommentDoesNotIncludeTheRestOfTheQuery() throws {
    let predicate: MagicPredicate<Sailor> = .sql("age > 30 -- adults") && \.$name == "Cy"
    #expect(try names(predicate) == ["Cy"])
  }

  @Test func whatIsNotOneConditionIsAnError() throws {
    for sql: MagicSQL in [
      "age > 1) OR (1 = 1", "1; DELETE FROM Sailor", "", "age > :age", "age > ?1", "nothing = 1",
      "(age > 1", "\(column: \Vessel.$name) = 'x'", "EXISTS (SELECT 1 FROM \(table: Vessel.self))",
    ] {
      let error = #expect(throws: MagicError.self) { try names(.sql(sql)) }
      #expect(error?.code == .invalidQuery, "\(sql): \(error as Any)")
    }
    #expect(try fleet.names.count == 3)
  }

  @Test func aWriteAndAnAggregateUseIt() throws {
    let sailors = fleet.store.query(Sailor.self)
    #expect(try sailors.where(.sql("length(name) = \(3)")).sum(\.$age) == 61)
    #expect(try sailors.where(.sql("length(name) = \(2)")).update(set: \.$age += 1) == 1)
    #expect(try sailors.where(.sql("age = 42")).delete() == 1)
  }
}
