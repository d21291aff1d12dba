import MagicEngine
import MagicStore

/// Registers an observer with a database for the lifetime of this object, and keeps the database
/// open for that time.
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
