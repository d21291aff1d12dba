import MagicRuntime
package import MagicSchema

/// The stores that are open, by their tokens: how an object finds the store of its row.
package final class LiveStores: @unchecked Sendable {
  package static let shared = LiveStores()

  private let lock = Lock.heldAcrossForks()
  /// Of one token there are two where a database is open for reading alone as well.
  private var stores: [StoreToken: [Weak]] = [:]

  /// A class: a weak reference in a structure would be copied with it, also while its store ends.
  private final class Weak {
    weak var store: SharedStore?
    let identifier: ObjectIdentifier

    init(_ store: SharedStore) {
      self.store = store
      identifier = ObjectIdentifier(store)
    }
  }

  /// The open store with a token; nil where it was closed.
  package func store(_ token: StoreToken) -> SharedStore? {
    lock.lock()
    guard let known = stores[token], let last = known.last else {
      lock.unlock()
      return nil
    }
    let store = last.store
    lock.unlock()
    if let store, !store.isClosed { return store }
    return known.last { $0.store?.isClosed == false }?.store
  }

  /// The token of the open store with an address.
  func token(at address: UnsafeRawPointer) -> StoreToken? {
    lock.withLock {
      stores.first { _, known in
        known.contains { UInt(bitPattern: $0.identifier) == UInt(bitPattern: address) }
      }?.key
    }
  }

  func enter(_ store: SharedStore) {
    lock.withLock { stores[store.token, default: []].append(Weak(store)) }
  }

  /// A store has ended.
  func leave(_ token: StoreToken, _ identifier: ObjectIdentifier) {
    lock.withLock {
      stores[token]?.removeAll { $0.identifier == identifier }
      if stores[token]?.isEmpty == true { stores[token] = nil }
    }
  }
}
