package import MagicEngine

extension MagicObjectStore {
  /// Registers an observer of every later commit to the database, by any handle and any process,
  /// until this handle is closed.
  package func observe(_ observer: ChangeObserver) {
    guard !database.lifecycle.isForked else { return observer.cancel() }
    // Closing sets the flag first and then ends the observers. An observer that is registered in
    // between must be cancelled here.
    database.observe(observer, owner: ObjectIdentifier(self))
    guard !isClosed else { return observer.cancel() }
  }

  /// Ends the observers that this handle registered.
  package func endObservers() { database.feed.finish(ObjectIdentifier(self)) }

  /// The number of observers of the database, of all handles.
  package var observerCount: Int { database.feed.observerCount }
}
