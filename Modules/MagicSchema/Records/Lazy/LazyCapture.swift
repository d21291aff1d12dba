/// What a save that takes a lazy value does to the property that holds it.
package final class LazyCapture {
  /// Takes back the note that the value was taken.
  package let taking: SavedLink?
  /// Releases the value with the commit; it is given what keeps the row's store open.
  package let settle: (StoreKeeper?) -> Void

  init(_ taking: SavedLink? = nil, settle: @escaping (StoreKeeper?) -> Void = { _ in }) {
    self.taking = taking
    self.settle = settle
  }
}
