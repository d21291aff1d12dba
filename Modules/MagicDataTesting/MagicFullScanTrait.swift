#if canImport(Testing)
  import MagicEngine
  import SQLiteQueries
  public import Testing

  /// A trait of tests in which no statement may read a whole table to find some of its rows.
  ///
  /// On a test it is written as `@Test(.noFullScans) func booksAreFoundByTheirTitles() async throws`.
  ///
  /// An issue is recorded for each statement with a condition whose plan reads a whole table, also for an
  /// index that is made only for the statement. The issue names the tables, the missing indexes as Swift
  /// code, and the SQL. It does not depend on the number of rows.
  ///
  /// The trait applies to the statements, of queries and of raw SQL, that the test and its child tasks run
  /// on SQLite databases. Statements without a condition are meant to read all rows. On a suite, the trait
  /// applies to all of its tests.
  public struct MagicFullScanTrait: TestTrait, SuiteTrait, TestScoping {
    /// True: on a suite, the trait applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test, and records an issue for each statement with a full scan.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let location = test.sourceLocation
      try await FullScanObserver.observing(
        { Issue.record("\($0.description)", sourceLocation: location) }, function)
    }
  }

  extension Trait where Self == MagicFullScanTrait {
    /// Records an issue for each statement of a test that reads a whole table to find some of its rows.
    public static var noFullScans: MagicFullScanTrait { MagicFullScanTrait() }
  }
#endif
