/// One fetched row, where it lies in its ``RowChunk``; see ``RowLayout``.
///
/// Packed bytes never change once the row is handed out, so they are read without a lock; what a
/// user changes lies in boxes of the row's ``ObjectRecord``. Valid while the chunk is.
@frozen @usableFromInline
package struct PackedRow: Hashable, @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutableRawPointer

  @inlinable
  package init(address: UnsafeMutableRawPointer) { self.address = address }

  @inlinable
  package var zIndex: Int64 {
    (address + RowLayout.zIndexOffset).load(as: Int64.self)
  }

  /// Whether two rows lie in one chunk.
  @inlinable
  package func isBeside(_ other: PackedRow) -> Bool {
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

  /// The row that a to-one's slot refers to.
  @inlinable
  package func target(_ column: Int) -> PackedRow {
    slot(column).load(as: PackedRow.self)
  }
}
