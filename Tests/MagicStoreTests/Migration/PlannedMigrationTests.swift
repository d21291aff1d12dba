import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The plan that is returned is the plan that is executed.
@Suite struct PlannedMigrationTests {
  let scratch = Scratch()

  private enum Stepped {
    struct Item: MagicObject {
      static var tableName: String { "Item" }
      @MagicValue(.indexed) var title: String
      @MagicValue var count = 7
      static var migrations: Migrations {
        Migrations {
          MigrationStep(1) { [.renameValue(name: "name", to: "title")] }
          MigrationStep(2) { [.deleteValue(name: "size")] }
        }
      }
    }
  }

  private enum Moved {
    struct Item: MagicObject {
      static var tableName: String { "Thing" }
      static var wasNamed: [String] { ["Item"] }
      @OptionMagicValue var name: String?
      @MagicValue var size: Int
    }
  }

  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: (0..<3).map { Old.Item(name: "\($0)") })
    }
  }

  /// The SQL that a migration to a type executes, and its plan.
  private func migrate<Model: MagicObject>(
    to type: Model.Type
  ) throws -> (lines: [String], plan: MagicMigrationPlan) {
    let recorder = Recorder<String>()
    var plan = MagicMigrationPlan(steps: [])
    try scratch.using(MagicOptions(trace: recorder.note)) { store throws in
      let shown = try store.migrationPlan(for: type)
      recorder.clear()
      plan = try store.migrate(type)
      #expect("\(plan)" == "\(shown)")
      #expect(plan.steps.flatMap(\.sql) == shown.steps.flatMap(\.sql))
    }
    return (recorder.all, plan)
  }

  private func expectPlannedStatements<Model: MagicObject>(
    to type: Model.Type, at location: SourceLocation = #_sourceLocation
  ) throws {
    try makeOld()
    let (lines, plan) = try migrate(to: type)
    let statements = plan.steps.flatMap(\.sql)
    #expect(!statements.isEmpty, sourceLocation: location)
    let planned = Set(statements)
    var executed: [String] = []
    // A statement that copies rows runs once per portion.
    for line in lines where planned.contains(line) && executed.last != line {
      executed.append(line)
    }
    #expect(executed == statements, sourceLocation: location)
    try scratch.expectAsNew(type, at: location)
  }

  @Test func addedColumnsAreExecutedAsPlanned() throws {
    try expectPlannedStatements(to: Added.Item.self)
  }

  @Test func aRebuildIsExecutedAsPlanned() throws {
    try expectPlannedStatements(to: Looser.Item.self)
  }

  @Test func stepsAreExecutedAsPlanned() throws {
    try expectPlannedStatements(to: Stepped.Item.self)
  }

  @Test func aRenamedTableIsMigratedAsPlanned() throws {
    try expectPlannedStatements(to: Moved.Item.self)
  }

  @Test func rowsAreReadOnceForAPlan() throws {
    try makeOld()
    let (lines, _) = try migrate(to: Stepped.Item.self)
    let questions = lines.filter { line in
      line.hasPrefix("SELECT") && ["\"Item\"", "\"Thing\""].contains(where: line.contains)
        && (line.contains("count(") || line.contains("EXISTS") || line.contains("LIMIT 6"))
    }
    #expect(!questions.isEmpty)
    #expect(questions.count == Set(questions).count, "\(questions)")
  }

  private enum Before {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var label: String
      @OptionMagicValue var item: Old.Item?

      init() {}
      init(_ label: String, _ item: Old.Item) { (self.label, self.item) = (label, item) }
    }
  }

  private enum After {
    struct Box: MagicObject {
      static var tableName: String { "Box" }
      @MagicValue var label: String
      @OptionMagicValue var item: Stricter.Item?
      static var migrations: Migrations {
        Migrations { MigrationStep(1) { [.sql("UPDATE Item SET size = NULL")] } }
      }
    }
  }

  @Test func aTableIsPlannedAgainWhenAStepOfAnotherHasChangedIt() throws {
    try scratch.using { store throws in
      try store.update(Before.Box("b", Old.Item(name: "n")))
    }
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: After.Box.self).refused.isEmpty)
      let error = #expect(throws: MagicError.self) { try store.migrate(After.Box.self) }
      #expect(error?.code == .needsMigration, "\(error as Any)")
      #expect(error?.type == "Item")
    }
    #expect(try scratch.raw().dump() == before)
  }
}
