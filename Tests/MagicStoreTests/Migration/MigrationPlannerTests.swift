import EngineConformance
import MagicMigration
import MagicSQLite
import MagicSchema
import MagicTestSupport
import SQLiteTables
import Testing

@testable import MagicStore

/// A planner compares values: a test can answer its questions about rows.
@Suite struct MigrationPlannerTests {
  let scratch = Scratch()

  /// Answers every question with the same value.
  private final class FixedRows: RowQueries {
    private let count: Int64
    private let rows: [Int64]
    private(set) var questions: [String] = []

    init(count: Int64, rows: [Int64]) {
      self.count = count
      self.rows = rows
    }

    func integer(_ query: String) throws -> Int64 {
      questions.append(query)
      return count
    }

    func firstRows(_ query: String) throws -> [Int64] {
      questions.append(query)
      return rows
    }

    func reads(_ literal: String, as value: Double) throws -> Bool { true }
  }

  private func plan<Model: MagicObject>(
    _ type: Model.Type, _ rows: FixedRows
  ) throws -> MagicMigrationPlan {
    try scratch.using { store throws in
      try store.update(Old.Item(name: "a"))
    }
    let planner = MigrationPlanner(catalogue: Catalogue(connection: try scratch.raw()), rows: rows)
    return try planner.plan(for: [ObjectSchema.of(type)]).summary
  }

  @Test func aPlanDependsOnTheAnswersAboutRows() throws {
    let lacking = try plan(Stricter.Item.self, FixedRows(count: 9, rows: [4]))
    #expect(lacking.refused.first?.refusal?.contains("row 4 has no value") == true, "\(lacking)")
    #expect(try plan(Stricter.Item.self, FixedRows(count: 9, rows: [])).refused.isEmpty)
  }

  @Test func aTableThatMatchesItsTypeNeedsNoReadOfRows() throws {
    let rows = FixedRows(count: 9, rows: [4])
    #expect(try plan(Old.Item.self, rows).isEmpty)
    #expect(rows.questions.isEmpty)
  }

  @Test func droppingAColumnIsDestroyingOnlyIfItHasValues() throws {
    #expect(try plan(Dropped.Item.self, FixedRows(count: 9, rows: [])).kind == .destroying)
    #expect(try plan(Dropped.Item.self, FixedRows(count: 0, rows: [])).kind == .rewriting)
  }
}
