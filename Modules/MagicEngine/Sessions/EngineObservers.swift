/// Publishes commits.
package protocol EngineObservers: AnyObject, Sendable {
  /// Publishes the commits of the database, through whichever handle they come.
  var feed: ChangeFeed { get }

  /// Adds an observer of every commit from now on, until its handle is closed.
  func observe(_ observer: ChangeObserver, owner: ObjectIdentifier)
}
