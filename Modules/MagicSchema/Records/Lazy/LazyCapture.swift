/// The effects of a save on a lazy property whose value it has captured.
package final class LazyCapture {
  /// Undoes the record that the value is being saved.
  package let taking: SavedLink?
  /// Releases the value when the save is committed. The argument prevents the store of the row from
  /// closing.
  package let settle: (StoreKeeper?) -> Void

  init(_ taking: SavedLink? = nil, settle: @escaping (StoreKeeper?) -> Void = { _ in }) {
    self.taking = taking
    self.settle = settle
  }
}
