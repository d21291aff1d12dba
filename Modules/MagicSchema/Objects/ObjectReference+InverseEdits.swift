package import MagicStorage

extension ObjectReference {
  /// Whether an inverse relationship of the object has edits that are not saved.
  package var hasInverseEdits: Bool {
    schema.reverses.indices.contains { reverseBox($0)?.hasEdits ?? false }
  }

  /// Returns the box of an inverse relationship, if it has one.
  ///
  /// - Parameter index: the index in ``ObjectSchema/reverses``.
  package func reverseBox(_ index: Int) -> ReversePropertyBox? {
    property(schema.layout.slotCount + index).reverseBox
  }
}
