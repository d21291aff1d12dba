/// Publishes commits to observers.
package protocol EngineObservers: AnyObject, Sendable {
  /// The feed of all commits to the database, by any handle.
  var feed: ChangeFeed { get }

  /// Registers an observer of every later commit, until its handle is closed.
  func observe(_ observer: ChangeObserver, owner: ObjectIdentifier)
}
