/// The effects of a save on a lazy property whose value it has captured.
package final class LazyCapture {
  /// Undoes the record that the value is being saved.
  package let undo: UndoAction?
  /// Releases the value when the save is committed. The argument prevents the store of the row from
  /// closing.
  package let didCommit: (StoreLease?) -> Void

  package init(_ undo: UndoAction? = nil, didCommit: @escaping (StoreLease?) -> Void = { _ in }) {
    self.undo = undo
    self.didCommit = didCommit
  }
}
