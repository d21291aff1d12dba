import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Properties that are added together with steps that read rows: the steps find their columns.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct ColumnsBesideStepsTests {
  let scratch = Scratch()

  enum Old {
    struct Plant: MagicObject {
      static var tableName: String { "Plant" }
      @MagicValue var name: String

      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  enum New {
    struct Pot: MagicObject {
      @MagicValue var size = 1
    }

    struct Plant: MagicObject {
      static var tableName: String { "Plant" }
      @MagicValue var name: String
      @MagicValue var label: MagicAsset<String> = .init(value: "none yet")
      @MagicValue var empty: MagicAsset<String> = .init()
      @OptionMagicValue var picture: MagicAsset<String>?
      @OptionMagicValue var pot: Pot?
      @MagicValue var height = -0.0

      static var migrations: Migrations {
        Migrations { MigrationStep { [.sql("UPDATE \"Plant\" SET \"name\" = upper(\"name\")")] } }
      }
    }
  }

  /// Only optional properties are added, so that nothing else rebuilds the table.
  enum Optional {
    struct Plant: MagicObject {
      static var tableName: String { "Plant" }
      @MagicValue var name: String
      @OptionMagicValue var picture: MagicAsset<String>?
      @OptionMagicValue var pot: New.Pot?

      static var migrations: Migrations { New.Plant.migrations }
    }
  }

  private func makeOld() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: ["fern", "moss"].map { Old.Plant($0) })
    await magic.close()
  }

  @Test func existingRowsHaveTheirDefaults() async throws {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let plants = try await magic.object(of: New.Plant.self)
    #expect(plants.map(\.name) == ["FERN", "MOSS"])
    #expect(plants.map(\.label.value) == ["none yet", "none yet"])
    #expect(plants.allSatisfy { !$0.empty.hasValue && $0.picture == nil && $0.pot == nil })
    #expect(plants.map(\.height.sign) == [.minus, .minus])
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  @Test func aFileIsKeptAsLongAsARowRefersToIt() async throws {
    try await makeOld()
    for _ in 0..<2 {
      let magic = try await MagicData.onTestedEngine(path: scratch.file())
      let plants = try await magic.object(of: Optional.Plant.self)
      if plants[0].picture == nil {
        plants[0].picture = MagicAsset(value: "green")
        try await magic.update(plants[0])
        plants[0].name = "Fern"
        try await magic.update(plants[0])
      }
      #expect(try plants[0].picture?.load() == "green")
      let report = try await magic.verify()
      #expect(report.findings.isEmpty, "\(report)")
      await magic.close()
    }
  }

  @Test(.requires(.files)) func aRelationshipHasItsForeignKey() async throws {
    try await makeOld()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let plants = try await magic.object(of: Optional.Plant.self)
    let pot = New.Pot()
    plants[0].pot = pot
    try await magic.update(plants[0])
    try await magic.remove(pot)
    let again = try await magic.object(of: Optional.Plant.self)
    #expect(again.count == 2 && again.allSatisfy { $0.pot == nil })
    await magic.close()
    let target = try SQLiteConnection(path: scratch.file())
      .texts("SELECT \"table\" FROM pragma_foreign_key_list('Plant')")
    #expect(target == ["Pot"])
  }

  enum Potted {
    struct Plant: MagicObject {
      static var tableName: String { "Plant" }
      @MagicValue var name: String
      @OptionMagicValue var pot: New.Pot?

      init() {}
      init(_ name: String, _ pot: New.Pot) { (self.name, self.pot) = (name, pot) }
    }
  }

  enum InPots {
    struct Plant: MagicObject {
      static var tableName: String { "Plant" }
      @MagicValue var name: String
      @MagicValue(.wasNamed("pot")) var pots: [New.Pot] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformRows { old, new in
                guard let name = try old.value("name", as: String.self) else { return }
                if name == "lost" { try new.set("pot", to: Int64(77)) }
                if name == "bare" { try new.set("pot", to: Int64?.none) }
                try new.set("name", to: name.uppercased())
              }
            ]
          }
        }
      }
    }
  }

  @Test func anObjectThatAClosureHasReadIsConvertedToAList() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(
      contentsOf: ["fern", "bare"].map { Potted.Plant($0, New.Pot()) })
    await magic.close()
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    let plan = try await again.migrationPlan(for: InPots.Plant.self)
    #expect(plan.refused.isEmpty && plan.kind == .rewriting)
    #expect(plan.description.contains("pot becomes the list pots"))
    let plants = try await again.object(of: InPots.Plant.self)
    #expect(plants.map(\.name) == ["FERN", "BARE"])
    #expect(plants.map(\.pots.count) == [1, 0])
    let report = try await again.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await again.close()
  }

  @Test func aRequiredPropertyThatAClosureSetsToNilIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Potted.Plant("lost", New.Pot()))
    await magic.close()
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await again.object(of: InPots.Plant.self)
    }
    #expect(error?.code == .brokenReference)
    if TestedEngine.current.has(.files) { #expect(error?.message.contains("row 1 ") == true) }
    await again.close()
  }
}
