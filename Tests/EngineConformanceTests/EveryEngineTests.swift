import EngineConformance
import Testing

@Suite(.everyEngine) struct EveryEngineTests {
  @Test func eachTestRunsOnATestedEngine() {
    print("ON", TestedEngine.current.name)
    #expect(Bool(false))
  }

  @Test(.requires(.files), arguments: [1, 2]) func withFiles(_ number: Int) throws {
    print("ON2", TestedEngine.current.name, number)
    throw CancellationError()
  }

  @Test(.requires(EngineFeatures(rawValue: 1 << 40))) func skipped() throws {
    print("ON3", TestedEngine.current.name)
  }
}
