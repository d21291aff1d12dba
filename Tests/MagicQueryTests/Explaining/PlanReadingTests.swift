import MagicEngine
import Testing

@testable import SQLiteQueries

/// Parsing of SQLite's query plans, whose text differs between versions.
@Suite struct PlanReadingTests {
  private func step(_ text: String) -> StatementPlan.Step {
    // The alias is read from the statement, because newer versions report only the alias.
    let tables = ["Cargo": "Cargo", "c": "Cargo", "Sea AS Land": "Sea AS Land"]
    return StatementPlan.Step(text: text, table: { tables[$0] }, steps: [])
  }

  @Test(arguments: [
    "SCAN Cargo", "SCAN c", "SCAN TABLE Cargo", "SCAN TABLE Cargo AS c",
  ])
  func aScanNamesItsTable(_ text: String) {
    #expect(step(text).table == "Cargo")
    #expect(step(text).access == .scan)
    #expect(step(text).isFullScan)
  }

  @Test(arguments: [
    "SEARCH c USING INDEX Cargo(name) (name=?)",
    "SEARCH TABLE Cargo AS c USING INDEX Cargo(name) (name=?)",
    "SEARCH TABLE Cargo USING COVERING INDEX Cargo(name) (name=?)",
  ])
  func aSearchNamesTableAndIndex(_ text: String) {
    #expect(step(text).table == "Cargo")
    #expect(step(text).access == .search)
    #expect(step(text).index == "Cargo(name)")
    #expect(!step(text).isFullScan)
  }

  @Test func anAutomaticIndexReadsTheCompleteTable() {
    let made = step("SEARCH TABLE Cargo AS c USING AUTOMATIC COVERING INDEX (port=?)")
    #expect(made.table == "Cargo")
    #expect(made.isFullScan)
  }

  @Test func aNameThatContainsTheKeywordOfAnAliasIsOneName() {
    #expect(step("SCAN TABLE Sea AS Land").table == "Sea AS Land")
    #expect(step("SCAN TABLE Sea AS Land AS s").table == "Sea AS Land")
  }

  @Test(arguments: ["SCAN SUBQUERY 1 AS x", "SCAN CONSTANT ROW", "SCAN 2 CONSTANT ROWS"])
  func aStepWithoutATableHasNone(_ text: String) {
    #expect(step(text).table == nil)
    #expect(!step(text).isFullScan)
  }
}
