/// The address of one fetched row in its ``RowChunk``; see ``RowLayout``.
///
/// A packed row is read without a lock, because its values do not change after it was returned by a
/// fetch. Only the pointer to the record and the slots of texts change, which are read and written as
/// atomic words: see ``KeptText``. Values that the user changes are stored in boxes of the row's
/// ``ObjectRecord``. Valid as long as the chunk.
@frozen @usableFromInline
package struct PackedRow: Hashable, @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutableRawPointer

  @inlinable
  package init(address: UnsafeMutableRawPointer) { self.address = address }

  @inlinable
  package var zIndex: Int64 {
    (address + RowLayout.zIndexOffset).load(as: Int64.self)
  }

  /// Whether two rows are in the same chunk.
  @inlinable
  package func isInSameChunk(as other: PackedRow) -> Bool {
    (address + RowLayout.chunkOffset).load(as: UInt.self)
      == (other.address + RowLayout.chunkOffset).load(as: UInt.self)
  }

  @inlinable
  package func slot(_ column: Int) -> UnsafeMutableRawPointer { address + column &* 8 }

  @inlinable
  package func isNull(_ column: Int) -> Bool {
    let word = (address + (RowLayout.nullsOffset &- (column &>> 6) &* 8)).load(as: UInt64.self)
    return word &>> UInt64(column & 63) & 1 != 0
  }

  @inlinable
  package var recordSlot: UnsafeMutablePointer<UnsafeRawPointer?> {
    (address + RowLayout.recordOffset).assumingMemoryBound(to: UnsafeRawPointer?.self)
  }

  /// Returns the row that the slot of a to-one refers to.
  @inlinable
  package func target(_ column: Int) -> PackedRow {
    slot(column).load(as: PackedRow.self)
  }
}
