/// Readers of one database for tasks.
package protocol DatabasePool: Sendable {
  /// The time that the reads of a page may need.
  var pageTime: Duration { get }

  /// Runs a body on one snapshot of the database, with a limit of time.
  ///
  /// - Throws: what the body throws, and ``InspectionError``: `limit` soon after the time.
  func read<Result: Sendable>(
    within duration: Duration, _ body: @escaping @Sendable (any DatabaseReading) throws -> Result
  ) async throws -> Result

  /// Returns what counts the commits of the database.
  func makeCommitCounter() -> any CommitCounter

  func close() async
}

/// Counts the commits of a database, also of other processes.
package protocol CommitCounter: Sendable {
  /// The time between two questions.
  var interval: Duration { get }

  /// Returns a number that differs after each commit.
  func next() async throws -> Int64

  func close() async
}
