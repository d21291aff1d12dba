import MagicRuntime
package import MagicSchema

/// The stores that are open, by their tokens: how an object finds the store of its row.
package final class LiveStores: @unchecked Sendable {
  package static let shared = LiveStores()

  private let lock = Lock()
  private var stores: [StoreToken: Weak] = [:]

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
    lock.withLock { stores[token]?.store }
  }

  /// The token of the open store with an address.
  func token(at address: UnsafeRawPointer) -> StoreToken? {
    lock.withLock {
      stores.first { UInt(bitPattern: $0.value.identifier) == UInt(bitPattern: address) }?.key
    }
  }

  func enter(_ store: SharedStore) { lock.withLock { stores[store.token] = Weak(store) } }

  /// A store has ended; another with the token may have taken its place.
  func leave(_ token: StoreToken, _ identifier: ObjectIdentifier) {
    lock.withLock { if stores[token]?.identifier == identifier { stores[token] = nil } }
  }
}
