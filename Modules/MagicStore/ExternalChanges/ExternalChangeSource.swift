import SQLiteChanges

/// A store that can check whether another process has committed.
protocol ExternalChangeSource: AnyObject, Sendable {
  var feed: ChangeFeed { get }
  /// Whether the store belongs to the process that this one was forked from.
  var isForked: Bool { get }
  /// Of a store that only reads, what detects commits of other processes.
  var probe: DataVersionProbe? { get }

  /// Publishes the commits of other processes since the last check, if there are any.
  func checkForExternalCommits()
}
