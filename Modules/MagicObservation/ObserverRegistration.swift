import MagicEngine
import MagicStore

/// An observer that is registered with a database, and keeps the database open, until this is released.
final class ObserverRegistration: Sendable {
  let observer: ChangeObserver
  private let store: MagicObjectStore

  init(_ observer: ChangeObserver, in database: some ObservableMagicDatabase) {
    self.observer = observer
    store = database._observation.store
    store.observe(observer)
  }

  deinit { observer.cancel() }
}
