import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Steps that are refused or fail change nothing.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct RefusedStepTests {
  let scratch = Scratch()

  enum Old {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @MagicValue var name: String
      @OptionMagicValue var note: String?
      @OptionMagicValue var size: Int?
      init() {}
      init(_ name: String) { (self.name, note, size) = (name, "n", 3) }
    }
  }

  private func makeOld() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: ["a", "b"].map { Old.Sheet($0) })
    await magic.close()
  }

  private func expectOld() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.object(of: Old.Sheet.self).map(\.note) == ["n", "n"])
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  enum Careless {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @MagicValue var name: String
      @OptionMagicValue var size: Int?

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "name") { (name: String) in name + "!" }] }
        }
      }
    }
  }

  @Test(.requires(.files)) func aColumnThatIsDroppedAfterAClosureMustBeDeclared() async throws {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let plan = try await magic.migrationPlan(for: Careless.Sheet.self)
    #expect(plan.refused.count == 1)
    let copy = scratch.file("copy.sqlite3")
    let error = await #expect(throws: MagicError.self) {
      try await magic.migrate(Careless.Sheet.self, backup: copy)
    }
    #expect(error?.code == .needsMigration)
    #expect(error?.plan?.steps.count == plan.steps.count)
    #expect(!FileManager.default.fileExists(atPath: copy))
    await magic.close()
    try await expectOld()
  }

  struct Unwilling: Error {}

  enum Failing {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @MagicValue var name: MagicAsset<String>
      @OptionMagicValue var note: String?
      @OptionMagicValue var size: Int?

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "name") { (name: String) in
                if name == "b" { throw Unwilling() }
                return MagicAsset(value: name)
              }
            ]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func theBackupOfAFailedMigrationIsRemoved() async throws {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let copy = scratch.file("copy.sqlite3")
    for _ in 0..<2 {
      let error = await #expect(throws: MagicError.self) {
        try await magic.migrate(Failing.Sheet.self, backup: copy)
      }
      #expect(error?.code == .migrationFailed)
    }
    await magic.close()
    #expect(!scratch.names.contains { $0.contains("copy") })
    try await expectOld()
  }

  @Test(.requires(.files)) func aTransactionThatContinuesKeepsNoFileOfAFailedMigration()
    async throws
  {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.transaction { transaction in
      #expect(throws: MagicError.self) { try transaction.object(of: Failing.Sheet.self) }
      try transaction.update(Paper())
    }
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
    #expect(scratch.names.filter { $0.split(separator: "/").count == 3 }.isEmpty)
    try await expectOld()
  }

  struct Paper: MagicObject {
    @MagicValue var kind: String = "plain"
  }

  enum Real {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @MagicValue var name: String
      @OptionMagicValue var note: String?
      @OptionMagicValue var size: Double?
    }
  }

  @Test(.requires(.files)) func aTextInAColumnOfIntegersIsNotReadAsANumber() async throws {
    try await makeOld()
    try scratch.raw().execute("UPDATE Sheet SET size = 'three' WHERE name = 'b'")
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await magic.migrate(Real.Sheet.self) }
    #expect(error?.code == .needsMigration)
    #expect(error?.message.contains("row 2") == true)
    await magic.close()
    #expect(try scratch.raw().texts("SELECT size FROM Sheet ORDER BY z_index") == ["3", "three"])
  }

  enum Loose {
    struct Sheet: MagicObject {
      static var tableName: String { "Sheet" }
      @MagicValue var name: String
      @OptionMagicValue var note: String?
      @OptionMagicValue var size: Int?

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "name") { (name: String) in name },
              .sql("UPDATE Sheet SET size = 'many' WHERE name = 'a'"),
            ]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func valuesThatSQLStoresAfterAClosureAreCheckedToo() async throws {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) { try await magic.migrate(Loose.Sheet.self) }
    #expect(error?.code == .needsMigration)
    #expect(error?.message.contains("row 1") == true)
    await magic.close()
    try await expectOld()
  }
}
