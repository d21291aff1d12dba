import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The column of a version: its migration, and the types that are refused.
@Suite struct VersionSchemaTests {
  let scratch = Scratch()

  enum Without {
    struct Plan: MagicObject {
      @MagicValue var name: String
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  enum With {
    struct Plan: MagicObject {
      @MagicValue var name: String
      @MagicVersion var version: Int
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  enum Counted {
    struct Plan: MagicObject {
      @MagicValue var name: String
      @MagicValue var version: Int = 0
    }
  }

  struct TwoVersions: MagicObject {
    @MagicVersion var first: Int
    @MagicVersion var second: Int
  }

  struct UniqueVersion: MagicObject {
    @MagicVersion(.unique) var version: Int
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  @Test func existingRowsGetVersion1() async throws {
    try await using { try await $0.update(contentsOf: [Without.Plan("a"), Without.Plan("b")]) }
    try await using { magic in
      let plan = try await magic.migrationPlan(for: With.Plan.self)
      #expect(plan.steps.allSatisfy { $0.kind == .additive })
      let plans = try await magic.object(of: With.Plan.self)
      #expect(plans.map(\.version) == [1, 1])
      plans[0].name = "c"
      try await magic.update(plans[0])
      try await magic.update(With.Plan("d"))
      #expect(try await magic.object(of: With.Plan.self).map(\.version) == [2, 1, 1])
    }
  }

  @Test func rowsOfAReadOnlyDatabaseWithoutTheColumnHaveVersion1() async throws {
    try await using { try await $0.update(Without.Plan("a")) }
    let magic = try await MagicData(path: scratch.file(), options: .init(readOnly: true))
    #expect(try await magic.object(of: With.Plan.self).map(\.version) == [1])
    await magic.close()
  }

  @Test func anIntegerPropertyBecomesAVersionAndBack() async throws {
    try await using { magic in
      let plan = Counted.Plan()
      plan.name = "a"
      plan.version = 41
      try await magic.update(plan)
    }
    try await using { magic in
      #expect(try await magic.migrationPlan(for: With.Plan.self).steps.isEmpty)
      let plan = try await magic.object(of: With.Plan.self)[0]
      #expect(plan.version == 41)
      plan.name = "b"
      try await magic.update(plan)
    }
    try await using { magic in
      let plans = try await magic.object(of: Counted.Plan.self)
      #expect(plans.map(\.version) == [42])
    }
  }

  @Test func theColumnIsDroppedLikeThatOfAnyProperty() async throws {
    try await using { try await $0.update(With.Plan("a")) }
    try await using { magic in
      let error = await #expect(throws: MagicError.self) {
        try await magic.update(Without.Plan("b"))
      }
      #expect(error?.code == .needsMigration)
    }
  }

  @Test func aTypeHasOneVersionAtMost() async throws {
    try await using { magic in
      let error = await #expect(throws: MagicError.self) { try await magic.update(TwoVersions()) }
      #expect(error?.code == .invalidSchema)
      let other = await #expect(throws: MagicError.self) { try await magic.update(UniqueVersion()) }
      #expect(other?.code == .invalidSchema && other?.property == "version")
    }
  }

  @Test func theGreatestVersionHasNoNextOne() async throws {
    try await using { magic in
      let plan = Counted.Plan()
      plan.name = "a"
      plan.version = .max
      try await magic.update(plan)
    }
    let magic = try await MagicData(path: scratch.file())
    let plan = try await magic.object(of: With.Plan.self)[0]
    plan.name = "b"
    let error = await #expect(throws: MagicError.self) { try await magic.update(plan) }
    #expect(error?.code == .idsExhausted && error?.property == "version")
    let bulk = await #expect(throws: MagicError.self) {
      try await magic.query(With.Plan.self).update(set: .set(\.$name, to: "c"))
    }
    #expect(bulk != nil)
    #expect(try await magic.object(of: With.Plan.self).map(\.name) == ["a"])
    await magic.close()
  }

  @Test func aSaveIsOneStatementAndAConflictReadsTheVersionOnce() async throws {
    let statements = Recorder<String>()
    let magic = try await MagicData(
      path: scratch.file(), options: .init(logger: statements.logger()))
    let plan = With.Plan("a")
    try await magic.update(plan)
    let outdated = try await magic.object(of: With.Plan.self)[0]
    plan.name = "c"
    statements.clear()
    try await magic.update(plan)
    statements.expectRan(1)
    outdated.name = "d"
    statements.clear()
    #expect(await conflict { try await magic.update(outdated) } != nil)
    statements.expectRan(2)
    await magic.close()
  }
}
