package import MagicEngine

extension MagicObjectStore {
  /// Adds an observer of every commit to the database from now on, whichever handle or process it
  /// comes from, until this handle is closed.
  package func observe(_ observer: ChangeObserver) {
    guard !database.lifecycle.isForked else { return observer.cancel() }
    // Closing ends observers once it is noted: one that comes in between must not stay.
    database.observe(observer, owner: ObjectIdentifier(self))
    guard !isClosed else { return observer.cancel() }
  }

  /// Ends the observers of this handle.
  package func endObservers() { database.feed.finish(ObjectIdentifier(self)) }

  /// How many observe the database, through any handle.
  package var observerCount: Int { database.feed.observerCount }
}
