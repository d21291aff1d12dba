/// The row that a lazy to-one refers to.
package struct LazyTarget: Sendable {
  package let store: StoreToken
  package let zIndex: Int64

  package init(store: StoreToken, zIndex: Int64) {
    self.store = store
    self.zIndex = zIndex
  }
}
