import EngineConformance
import Foundation
import MagicData
import MagicEngine
import MagicStore
import MagicTestSupport
import Testing

@Suite struct EveryEngineTests {
  /// Runs a body in the way in which `.everyEngine` runs the calling test.
  private func runOnEveryEngine(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current)
    try await EveryEngine.everyEngine.provideScope(
      for: test, testCase: Test.Case.current, performing: body)
  }

  @Test func eachEngineRunsTheTestOnce() async throws {
    let names = Recorder<String>()
    try await runOnEveryEngine { names.note(TestedEngine.current.name) }
    #expect(names.all == TestedEngine.chosen.map(\.name))
  }

  @Test(.requires([.files, .rawSQL])) func anEngineWithoutTheFeaturesDoesNotRunTheTest()
    async throws
  {
    let names = Recorder<String>()
    try await runOnEveryEngine { names.note(TestedEngine.current.name) }
    #expect(
      names.all == TestedEngine.chosen.filter { $0.has([.files, .rawSQL]) }.map(\.name))
  }

  @Test func aFailureNamesItsEngineAndTheOthersRunAsWell() async throws {
    struct Failure: Error {}
    let (names, failures) = (Recorder<String>(), Recorder<String>())
    let collecting = IssueHandlingTrait.compactMapIssues { issue in
      failures.note(issue.comments.map(\.rawValue).joined())
      return nil
    }
    try await collecting.provideScope(
      for: try #require(Test.current), testCase: Test.Case.current
    ) {
      try await runOnEveryEngine {
        names.note(TestedEngine.current.name)
        #expect(Bool(false))
        throw Failure()
      }
    }
    #expect(names.all == TestedEngine.chosen.map(\.name))
    #expect(
      failures.all
        == names.all.flatMap { ["On the engine \($0).", "On the engine \($0)."] })
  }

  @Test func withoutTheTraitTheEngineIsSQLite() {
    #expect(TestedEngine.current.name == "sqlite")
  }

  @Test(.everyEngine) func aDatabaseStoresAssetsIfItsEngineHasThem() throws {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    defer { store.close() }
    #expect((store.database.assets != nil) == TestedEngine.current.has(.assets))
  }

  @Test(.everyEngine) func aDatabaseIsOpenedOnTheEngine() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    try await magic.update(Word("a"))
    #expect(try await magic.object(of: Word.self).map(\.text) == ["a"])
    await magic.close()
  }
}

private struct Word: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}
