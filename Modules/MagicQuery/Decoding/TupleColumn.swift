import MagicEngine

/// An element of a tuple, and its place in the memory of the tuple.
struct TupleColumn: Sendable {
  let offset: Int
  /// The offset of the byte after the element.
  let end: Int
  /// Decodes a value into uninitialized memory.
  let initialize:
    @Sendable (UnsafeMutableRawPointer, SelectedRows, _ row: Int, _ column: Int) throws -> Void
  let deinitialize: @Sendable (UnsafeMutableRawPointer) -> Void
  /// The selected expression, for errors.
  let property: SelectedProperty

  /// - Parameter previous: the element before this one; nil if this is the first.
  init<Value>(
    _ decoder: ValueDecoder<Value>, of property: SelectedProperty, after previous: TupleColumn?
  ) {
    self.property = property
    // The first element begins at 0, and each other element at the next multiple of its alignment.
    let mask = MemoryLayout<Value>.alignment - 1
    offset = ((previous?.end ?? 0) + mask) & ~mask
    end = offset + MemoryLayout<Value>.size
    initialize = decoder.initialize
    deinitialize = { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
  }
}

/// What is read of a ``TupleColumn`` for each row.
struct TupleElement: Sendable {
  let offset: Int
  let initialize:
    @Sendable (UnsafeMutableRawPointer, SelectedRows, _ row: Int, _ column: Int) throws -> Void
}
