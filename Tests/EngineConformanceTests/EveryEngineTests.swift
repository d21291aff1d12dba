import EngineConformance
import MagicData
import Testing

@Suite struct EveryEngineTests {
  /// Runs a body as `.everyEngine` runs the test that calls this.
  private func runOnEveryEngine(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current)
    try await EveryEngine.everyEngine.provideScope(
      for: test, testCase: Test.Case.current, performing: body)
  }

  @Test func eachEngineRunsTheTestOnce() async throws {
    let names = Names()
    try await runOnEveryEngine { await names.append(TestedEngine.current.name) }
    #expect(await names.all == TestedEngine.chosen.map(\.name))
  }

  @Test(.requires([.files, .rawSQL])) func anEngineWithoutTheFeaturesDoesNotRunTheTest()
    async throws
  {
    let names = Names()
    try await runOnEveryEngine { await names.append(TestedEngine.current.name) }
    #expect(
      await names.all == TestedEngine.chosen.filter { $0.has([.files, .rawSQL]) }.map(\.name))
  }

  @Test func aFailureNamesItsEngineAndTheOthersRunAsWell() async throws {
    struct Failure: Error {}
    let names = Names()
    try await withKnownIssue {
      try await runOnEveryEngine {
        await names.append(TestedEngine.current.name)
        #expect(Bool(false))
        throw Failure()
      }
    } matching: { issue in
      TestedEngine.chosen.contains { engine in
        issue.comments.contains { $0.rawValue == "On the engine \(engine.name)." }
      }
    }
    #expect(await names.all == TestedEngine.chosen.map(\.name))
  }

  @Test func withoutTheTraitTheEngineIsSQLite() {
    #expect(TestedEngine.current.name == "sqlite")
  }

  @Test(.everyEngine) func aDatabaseIsOpenedOnTheEngine() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    try await magic.update(Word("a"))
    #expect(try await magic.object(of: Word.self).map(\.text) == ["a"])
    await magic.close()
  }
}

private actor Names {
  private(set) var all: [String] = []

  func append(_ name: String) { all.append(name) }
}

private struct Word: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}
