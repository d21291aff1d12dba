import MagicEngine
import SQLiteChanges

/// A database that can check whether another process has committed.
protocol ExternalChangeSource: AnyObject, Sendable {
  var feed: ChangeFeed { get }

  /// Publishes the commits of other processes since the last check, if there are any.
  func checkForExternalCommits()
}
