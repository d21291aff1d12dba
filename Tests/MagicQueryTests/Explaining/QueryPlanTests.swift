import MagicData
import MagicQuery
import MagicTestSupport
import Testing

/// Refers to cargo.
struct Crate: MagicObject {
  @MagicValue var label: String = ""
  @MagicValue var content: Cargo
  @OptionMagicValue var spare: Cargo?
  @MagicValue var parts: [Cargo] = []

  init() {}
}

/// Query plans of typed queries.
@Suite struct QueryPlanTests {
  private let fleet: Fleet

  init() throws {
    fleet = try Fleet()
    let crate = Crate()
    crate.content = Cargo("x")
    try fleet.store.update(crate)
  }

  private var cargo: MagicQuery<Cargo, MagicObjectStore> { fleet.store.query(Cargo.self) }

  @Test func aQueryNamesItsIndex() throws {
    let query = cargo.where(\.$name == "x")
    let plan = try query.explain()
    #expect(try plan.sql == query.sql)
    #expect(plan.steps.map(\.access) == [.search])
    #expect(plan.steps[0].table == "Cargo")
    #expect(plan.steps[0].index == "Cargo(name)")
    #expect(plan.fullScans.isEmpty)
    #expect(plan.suggestions.isEmpty)
  }

  @Test func theAdviceForAScanIsTheIndexInSwift() throws {
    let plan = try cargo.where(\.$port == "x").explain()
    #expect(plan.fullScans == ["Cargo"])
    #expect(plan.suggestions.map(\.description) == ["Cargo: @OptionMagicValue(.indexed) var port"])
    #expect(
      try cargo.where(\.$origin == "x").explain().suggestions.map(\.declaration)
        == ["@MagicValue(.indexed) var origin"])
    #expect(
      try cargo.where(\.$port == "x" && \.$class > 3).explain().suggestions.map(\.declaration)
        == ["static var indexes: [MagicIndex<Cargo>] { [MagicIndex(\\.$port, \\.$class)] }"])
    #expect(
      try cargo.where(\.$origin == "x" || \.$class == 1).explain().suggestions.map(\.declaration)
        == ["@MagicValue(.indexed) var origin", "@MagicValue(.indexed) var class"])
  }

  @Test func aSortIsReported() throws {
    let plan = try cargo.order(by: \.$port).limit(3).explain()
    #expect(plan.steps.contains { $0.usesTemporaryTree })
    #expect(plan.suggestions.map(\.declaration) == ["@OptionMagicValue(.indexed) var port"])
    #expect(try cargo.order(by: \.$name).explain().allSteps.allSatisfy { !$0.usesTemporaryTree })
  }

  @Test func targetsOfToOnesArePartOfThePlan() throws {
    let plan = try fleet.store.query(Crate.self).where(\.$content.$port == "x").explain()
    #expect(plan.allSteps.contains { $0.table == "Cargo" })
    #expect(plan.allSteps.contains { $0.table == "Crate" })
  }

  @Test func aListOfAnySizeIsExplained() throws {
    let few = try cargo.where { $0.$name.in(["a", "b"]) }.explain()
    #expect(few.steps[0].index == "Cargo(name)")
    let many = cargo.where { $0.$name.in((0..<5_000).map { "n\($0)" }) }
    #expect(try many.explain().allSteps.contains { $0.table == "Cargo" })
    #expect(try many.count() == 0)
  }

  @Test func selectionsAndGroupsAreExplained() throws {
    let selection = try cargo.where(\.$port == "x").select(\.$name).explain()
    #expect(selection.fullScans == ["Cargo"])
    #expect(selection.suggestions.map(\.declaration) == ["@OptionMagicValue(.indexed) var port"])
    let groups = try cargo.grouped(by: \.$name).explain()
    #expect(groups.steps.map(\.index) == ["Cargo(name)"])
    #expect(try cargo.grouped(by: \.$port).explain().allSteps.contains { $0.usesTemporaryTree })
  }

  @Test func aTypeWithoutATableHasAPlan() throws {
    let fleet = try Fleet()
    let plan = try fleet.store.query(Crate.self).where(\.$label == "x").explain()
    #expect(plan.fullScans.isEmpty)
    #expect(plan.suggestions.isEmpty)
    #expect(try fleet.store.sql("SELECT count(*) FROM sqlite_master").value(Int.self) == 0)
  }

  @Test func anInvalidQueryIsNotExplained() throws {
    let error = #expect(throws: MagicError.self) { try cargo.limit(-1).explain() }
    #expect(error?.code == .invalidQuery)
  }

  @Test func explainingAQueryRunsNothing() throws {
    try fleet.store.transaction { transaction in
      try transaction.update(Cargo("y"))
      #expect(try transaction.query(Cargo.self).where(\.$name == "y").explain().steps.count == 1)
    }
    fleet.log.clear()
    _ = try cargo.where(\.$port == "x").explain()
    #expect(!fleet.log.all.contains { $0.hasPrefix("SELECT t0") })
    let plan = try fleet.store.read { try $0.query(Cargo.self).where(\.$port == "x").explain() }
    #expect(plan.fullScans == ["Cargo"])
  }

  @Test func tasksExplainToo() async throws {
    let reader = TaskReader(store: fleet.store)
    let query = reader.query(Cargo.self).where(\.$port == "x")
    #expect(try await query.explain().fullScans == ["Cargo"])
    #expect(try await query.select(\.$name).explain().fullScans == ["Cargo"])
    #expect(
      try await reader.query(Cargo.self).grouped(by: \.$name).explain().steps.count == 1)
  }
}
