/// The row that a lazy to-one refers to, as far as is known.
package struct LazyTarget: Sendable {
  package let store: StoreToken
  package let zIndex: Int64
}
