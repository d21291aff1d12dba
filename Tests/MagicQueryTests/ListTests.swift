import EngineConformance
import Foundation
import MagicQuery
import Testing

@Suite(.everyEngine) struct ListTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func theNumberOfParametersOfAShortListIsAPowerOfTwo() throws {
    try test.expect({ $0.$age.in([18]) }, "t0.\"age\" IN (?1)", ["Ben", "Cleo"])
    try test.expect(
      { $0.$age.in([18, 36, 5]) }, "t0.\"age\" IN (?1, ?2, ?3, ?4)", ["Ada", "Ben", "Cleo"])
    try test.expect({ $0.$nick.in(["benny", "x"]) }, "t0.\"nick\" IN (?1, ?2)", ["Ben"])
    try test.expect(
      { !$0.$nick.in(["benny"]) }, "(t0.\"nick\" IN (?1)) IS NOT TRUE", ["Ada", "Cleo", "Dora"])
  }

  @Test func anEmptyListMatchesNothing() throws {
    try test.expect({ $0.$age.in([]) }, "t0.\"age\" IN ()", [])
    try test.expect(
      { !$0.$age.in([]) }, "NOT (t0.\"age\" IN ())", ["Ada", "Ben", "Cleo", "Dora"])
  }

  @Test func rangesHaveTheSameBoundsAsInSwift() throws {
    try test.expect(
      { $0.$age.in(18...36) }, "t0.\"age\" BETWEEN ?1 AND ?2", ["Ada", "Ben", "Cleo"])
    try test.expect(
      { $0.$age.in(18..<36) }, "t0.\"age\" >= ?1 AND t0.\"age\" < ?2", ["Ben", "Cleo"])
    try test.expect({ $0.$height.between(1.6, 1.8) }, "t0.\"height\" BETWEEN ?1 AND ?2", ["Ada"])
    try test.expect(
      { $0.$height.in(1.5..<1.7) }, "t0.\"height\" >= ?1 AND t0.\"height\" < ?2", ["Dora"])
  }

  @Test func rangesWithOneBoundAreComparisons() throws {
    try test.expect({ $0.$age.in(36...) }, "t0.\"age\" >= ?1", ["Ada", "Dora"])
    try test.expect({ $0.$age.in(...36) }, "t0.\"age\" <= ?1", ["Ada", "Ben", "Cleo"])
    try test.expect({ $0.$age.in(..<36) }, "t0.\"age\" < ?1", ["Ben", "Cleo"])
    try test.expect({ $0.$height.in(1.6...) }, "t0.\"height\" >= ?1", ["Ada"])
    try test.expect({ $0.$height.in(...1.6) }, "t0.\"height\" <= ?1", ["Dora"])
    try test.expect(
      { !$0.$height.in(..<1.6) }, "(t0.\"height\" < ?1) IS NOT TRUE", ["Ada", "Ben", "Cleo"])
  }

  @Test func manyValuesAreStoredInATemporaryTable() throws {
    let ages = Array(30..<200)
    try test.expect(
      { $0.$age.in(ages) }, "t0.\"age\" IN (SELECT \"value\" FROM temp.\"magic_list_1\")",
      ["Ada", "Dora"])
    try test.expect(
      { $0.$age.in(ages) && $0.$name.in((0..<100).map { "\($0)" } + ["Dora"]) && $0.$age > 1 },
      "t0.\"age\" IN (SELECT \"value\" FROM temp.\"magic_list_1\") AND "
        + "t0.\"name\" IN (SELECT \"value\" FROM temp.\"magic_list_2\") AND t0.\"age\" > ?1",
      ["Dora"])
    try test.expect(
      { $0.$age.in(Array(100..<200)) },
      "t0.\"age\" IN (SELECT \"value\" FROM temp.\"magic_list_1\")", [])
  }

  @Test func listsOfBothFormsMayBeInOneQuery() throws {
    let ages = Array(0..<100)
    try test.expect(
      { $0.$name.in(["Ada", "Ben", "Cleo"]) && $0.$age.in(ages) && $0.$id.in([1]) },
      "t0.\"name\" IN (?1, ?2, ?3, ?4) AND "
        + "t0.\"age\" IN (SELECT \"value\" FROM temp.\"magic_list_1\") AND t0.\"id\" IN (?5)",
      ["Ada"])
    let query = test.store.query(Resident.self)
    for length in [0, 1, 2, 3, 64, 65, 3, 2, 1, 0] {
      let ids = Array((1...100).prefix(length))
      #expect(try query.where { $0.$id.in(ids) && $0.$age < 99 }.count() == min(length, 4))
    }
  }

  @Test func aListMayHaveAMillionValues() throws {
    let query = test.store.query(Resident.self).where { $0.$id.in(2...1_000_001) }
    #expect(try query.count() == 3)
    let listed = test.store.query(Resident.self).where { $0.$id.in(Array(2..<1_000_002)) }
    #expect(try listed.count() == 3)
  }

  @Test func listsWorkInATransaction() throws {
    let ids = Array(0..<100)
    try test.store.transaction { transaction in
      try transaction.query(Resident.self).where(\.$name == "Ben").update(set: \.$age, to: 7)
      #expect(try transaction.query(Resident.self).where { $0.$age.in(Array(0..<70)) }.count() == 3)
      #expect(try transaction.query(Resident.self).where { $0.$id.in(ids) }.delete() == 4)
    }
    #expect(try test.store.query(Resident.self).count() == 0)
  }
}

extension ListTests {
  @Test func aListThatFailsDoesNotAffectTheNext() throws {
    let unsaved = (0..<100).map { Home("\($0)") }
    let query = test.store.query(Resident.self).where { $0.$home.in(unsaved) }
    #expect(code { try query.count() } == .notSaved)
    #expect(try test.store.query(Resident.self).where { $0.$age.in(Array(0..<100)) }.count() == 4)
    #expect(
      try test.store.query(Resident.self).where { $0.$age.in(Array(900..<1_000)) }.count() == 0)
  }

  @Test func valuesOfOneListAreNotFoundByAnother() throws {
    let names = (0..<100).map { "\($0)" } + ["Ada"]
    #expect(try test.store.query(Resident.self).where { $0.$name.in(names) }.count() == 1)
    let heights = (0..<100).map { Double($0) } + [1.5]
    #expect(try test.store.query(Resident.self).where { $0.$height.in(heights) }.count() == 1)
    let tokens =
      (0..<100).map { _ in UUID() }
      + (try test.store.query(Resident.self).select(\.$token).all())
    #expect(try test.store.query(Resident.self).where { $0.$token.in(tokens) }.count() == 4)
  }
}
