/// How a type's rows are packed. A row's address is that of its first slot.
///
/// ```
///    …  NULL bits   one bit a column, in words of eight bytes, the first of them last
///  -24  chunk       pointer to the RowChunk
///  -16  record      pointer to the ObjectRecord, nil until the object is changed
///   -8  z-index
///    0  slots       eight bytes a column, then eight a collection
///    …  bytes       of texts, blobs and UUIDs, each beginning anywhere; the row ends on eight
/// ```
@usableFromInline
package final class RowLayout: Sendable {
  @usableFromInline package static let zIndexOffset = -8
  @usableFromInline package static let recordOffset = -16
  @usableFromInline package static let chunkOffset = -24
  @usableFromInline package static let nullsOffset = -32

  /// The slots that may be NULL: the columns'.
  let columnCount: Int
  /// Those and the collections'.
  package let slotCount: Int
  /// What lies before the slots, in bytes.
  package let headerSize: Int
  /// The slots that hold references to boxes.
  package let objectSlots: [Int]

  /// How many slots may have a box beside the row: the columns', and where there are lazy
  /// collections all.
  let boxCount: Int

  /// - Parameters:
  ///   - columnCount: the slots that may be NULL.
  ///   - slotCount: those and the collections'.
  package init(
    columnCount: Int, slotCount: Int, objectSlots: [Int], hasLazyCollections: Bool = false
  ) {
    self.columnCount = columnCount
    self.slotCount = slotCount
    boxCount = hasLazyCollections ? slotCount : columnCount
    self.objectSlots = objectSlots
    headerSize = 24 + (columnCount + 63) / 64 * 8
  }

  /// Where the bytes begin, counted from the row's address.
  package var bytesOffset: Int { slotCount * 8 }
}
