/// The row that a lazy to-one refers to.
package struct LazyTarget: Sendable {
  package let store: StoreToken
  package let zIndex: Int64
}
