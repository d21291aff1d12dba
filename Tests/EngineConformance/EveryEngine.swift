public import Testing

/// Runs each test once on every engine with the features that the test requires.
public struct EveryEngine: SuiteTrait, TestTrait, TestScoping {
  /// True: on a suite it applies to each of its tests.
  public var isRecursive: Bool { true }

  /// Each run has a new instance of the suite. Failures and errors are recorded with the name of
  /// the engine, and do not stop the runs on other engines.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let required = test.requiredFeatures
    guard !TestedEngine.chosen.isEmpty else {
      let names = TestedEngine.all.map(\.name).joined(separator: ", ")
      Issue.record("MAGIC_ENGINE names no engine. Set it to one of \(names).")
      return
    }
    let engines = TestedEngine.chosen.filter { $0.has(required) }
    guard !engines.isEmpty else {
      #if compiler(>=6.3)
        try Test.cancel("No tested engine has the features that this test requires.")
      #else
        return
      #endif
    }
    for engine in engines {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("On the engine \(engine.name).")
        return issue
      }
      try await naming.provideScope(for: test, testCase: testCase) {
        do {
          try await TestedEngine.$current.withValue(engine) { try await function() }
        } catch {
          Issue.record(error, sourceLocation: test.sourceLocation)
        }
      }
    }
  }
}

extension Trait where Self == EveryEngine {
  /// Runs each test once on every engine, or on the one that the environment variable
  /// `MAGIC_ENGINE` names. Tests open their databases with `onTestedEngine`.
  public static var everyEngine: EveryEngine { EveryEngine() }
}
