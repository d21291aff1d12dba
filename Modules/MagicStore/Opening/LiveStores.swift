import MagicRuntime
package import MagicSchema

/// The stores that are open, by their tokens: how an object finds the store of its row.
package final class LiveStores: @unchecked Sendable {
  package static let shared = LiveStores()

  private let lock = Lock()
  private var stores: [StoreToken: Weak] = [:]

  private struct Weak {
    weak var store: SharedStore?
  }

  /// The open store with a token; nil where it was closed.
  package func store(_ token: StoreToken) -> SharedStore? {
    lock.withLock { stores[token]?.store }
  }

  func enter(_ store: SharedStore) { lock.withLock { stores[store.token] = Weak(store: store) } }

  /// A store has ended; another with the token may have taken its place.
  func leave(_ token: StoreToken) {
    lock.withLock { if stores[token]?.store == nil { stores[token] = nil } }
  }
}
