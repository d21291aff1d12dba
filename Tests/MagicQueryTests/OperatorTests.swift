import EngineConformance
import Foundation
import MagicQuery
import Testing

@Suite(.everyEngine) struct OperatorTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func comparisonsOfRequiredPropertiesArePlain() throws {
    try test.expect(\.$age == 18, "t0.\"age\" = ?1", ["Ben", "Cleo"])
    try test.expect(\.$age != 18, "t0.\"age\" <> ?1", ["Ada", "Dora"])
    try test.expect(\.$age < 36, "t0.\"age\" < ?1", ["Ben", "Cleo"])
    try test.expect(\.$age <= 36, "t0.\"age\" <= ?1", ["Ada", "Ben", "Cleo"])
    try test.expect(\.$age > 36, "t0.\"age\" > ?1", ["Dora"])
    try test.expect(\.$age >= 36, "t0.\"age\" >= ?1", ["Ada", "Dora"])
  }

  @Test func nilIsComparedLikeOtherValues() throws {
    try test.expect(\.$nick == "benny", "t0.\"nick\" IS ?1", ["Ben"])
    try test.expect(\.$nick != "benny", "t0.\"nick\" IS NOT ?1", ["Ada", "Cleo", "Dora"])
    try test.expect(\.$nick == nil, "t0.\"nick\" IS NULL", ["Ada", "Cleo"])
    try test.expect(\.$nick != nil, "t0.\"nick\" IS NOT NULL", ["Ben", "Dora"])
  }

  @Test func anOrderComparisonWithNilIsFalseAndItsNegationIsTrue() throws {
    try test.expect(\.$height < 1.6, "t0.\"height\" < ?1", ["Dora"])
    try test.expect(
      !(\.$height < 1.6), "(t0.\"height\" < ?1) IS NOT TRUE", ["Ada", "Ben", "Cleo"])
    try test.expect(
      { ($0.$height < 1.6) == false }, "((t0.\"height\" < ?1) IS TRUE) = ?2",
      ["Ada", "Ben", "Cleo"])
  }

  @Test func chainsOfConditionsAreFlat() throws {
    try test.expect(
      \.$age > 18 && \.$name == "Ada" && \.$nick == nil,
      "t0.\"age\" > ?1 AND t0.\"name\" = ?2 AND t0.\"nick\" IS NULL", ["Ada"])
    try test.expect(
      \.$age > 36 || \.$name == "Ada" && !(\.$age == 18),
      "t0.\"age\" > ?1 OR t0.\"name\" = ?2 AND NOT (t0.\"age\" = ?3)", ["Ada", "Dora"])
    try test.expect(
      (\.$age > 36 || \.$name == "Ada") && \.$height != nil,
      "(t0.\"age\" > ?1 OR t0.\"name\" = ?2) AND t0.\"height\" IS NOT NULL", ["Ada", "Dora"])
  }

  @Test func propertiesAreComparedWithEachOther() throws {
    try test.expect(\.$age == \.$id, "t0.\"age\" = t0.\"id\"", [])
    try test.expect(
      \.$age > \.$id * 10, "t0.\"age\" > magic_multiply(t0.\"id\", ?1)", ["Ada", "Dora"])
    try test.expect({ $0.$age + 1 == 19 }, "magic_add(t0.\"age\", ?1) IS ?2", ["Ben", "Cleo"])
    try test.expect({ -$0.$age < -36 }, "magic_subtract(0, t0.\"age\") < ?1", ["Dora"])
    try test.expect(
      { $0.$age / 10 - 1 == 6 }, "magic_subtract(magic_divide(t0.\"age\", ?1), ?2) IS ?3", ["Dora"])
    try test.expect({ $0.$age % 10 == 6 }, "t0.\"age\" % ?1 IS ?2", ["Ada"])
    try test.expect({ $0.$height * 2 > 3.2 }, "t0.\"height\" * ?1 > ?2", ["Ada"])
    try test.expect(
      { 1 - $0.$weight == 1 }, "?1 - t0.\"weight\" IS ?2", ["Ada", "Ben", "Cleo", "Dora"])
    try test.expect({ -$0.$height < -1.6 }, "-t0.\"height\" < ?1", ["Ada"])
  }

  @Test func aBooleanPropertyIsACondition() throws {
    let ben = try #require(try test.store.query(Resident.self).where(\.$name == "Ben").first())
    ben.isActive = true
    try test.store.update(ben)
    try test.expect({ $0.$isActive }, "t0.\"isActive\" = 1", ["Ben"])
    try test.expect(!\.$isActive, "t0.\"isActive\" = 0", ["Ada", "Cleo", "Dora"])
    #expect(try test.store.query(Resident.self).where(\.$isActive).all().map(\.name) == ["Ben"])
  }
}
