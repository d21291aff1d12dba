import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// The plans of steps that change nothing, or that cannot run.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct StepPlanTests {
  let scratch = Scratch()

  private enum First {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue var title: String = ""
      init() {}
    }
  }

  private enum Deleted {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue var title: String = ""

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.deleteValue(name: "typo")] }
          MigrationStep { [.renameValue(name: "titel", to: "name")] }
          MigrationStep { [.convertValue(name: "titel")] }
        }
      }
    }
  }

  private enum Transformed {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue var title: String = ""

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "titel") { (title: String) in title + "!" }] }
        }
      }
    }
  }

  /// The version after one that had a nickname.
  private enum Skipping {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue var title: String = ""

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "nickname") { (name: String) in name + "!" }] }
          MigrationStep { [.deleteValue(name: "nickname")] }
        }
      }
    }
  }

  private func withSavedWare(_ body: (MagicData) async throws -> Void) async throws {
    let first = try await MagicData.onTestedEngine(path: scratch.file())
    try await first.update(First.Ware())
    await first.close()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    do {
      try await body(magic)
    } catch {
      await magic.close()
      throw error
    }
    await magic.close()
  }

  @Test func aPlanSaysThatStepsWhichChangeNothingAreRecorded() async throws {
    try await withSavedWare { magic async throws in
      let plan = try await magic.migrationPlan(for: Deleted.Ware.self)
      #expect(plan.steps.count == 1)
      #expect(plan.kind == .additive)
      #expect(plan.description.contains("steps 1 to 3 change nothing here"))
      let done = try await magic.migrate(Deleted.Ware.self)
      #expect(done.steps.map(\.summary) == plan.steps.map(\.summary))
      #expect(try await magic.object(of: Deleted.Ware.self).count == 1)
      #expect(try await magic.migrationPlan(for: Deleted.Ware.self).isEmpty)
    }
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    await #expect {
      _ = try await magic.object(of: First.Ware.self)
    } throws: {
      ($0 as? MagicError)?.code == .newerSchema
    }
    await magic.close()
  }

  @Test func aTransformationOfAPropertyThatIsMissingIsRefused() async throws {
    try await withSavedWare { magic async throws in
      let plan = try await magic.migrationPlan(for: Transformed.Ware.self)
      #expect(
        plan.refused.map(\.refusal) == [
          "the table has no property titel: correct the name in the step"
        ])
      await #expect {
        try await magic.migrate(Transformed.Ware.self)
      } throws: {
        ($0 as? MagicError)?.code == .needsMigration
      }
    }
  }

  @Test func aFileOfAVersionBeforeAPropertySkipsItsTransformation() async throws {
    try await withSavedWare { magic async throws in
      #expect(try await magic.migrationPlan(for: Skipping.Ware.self).refused.isEmpty)
      try await magic.migrate(Skipping.Ware.self)
      #expect(try await magic.object(of: Skipping.Ware.self).count == 1)
    }
  }
}
