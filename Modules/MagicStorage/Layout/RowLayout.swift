/// The layout of a type's packed rows. The address of a row is that of its first slot.
///
/// ```
///    …  NULL bits   one bit for each column, in eight-byte words in descending order
///  -24  chunk       pointer to the RowChunk
///  -16  record      pointer to the ObjectRecord, nil until the object is changed
///   -8  row ID
///    0  slots       eight bytes for each column, then eight for each collection: see
///                   `_MagicalPackedValue.Place` for those that refer to bytes
///    …  bytes       of texts, blobs and UUIDs, unaligned; the row is padded to eight bytes
/// ```
@usableFromInline
package final class RowLayout: Sendable {
  @usableFromInline package static let zIndexOffset = -8
  @usableFromInline package static let recordOffset = -16
  @usableFromInline package static let chunkOffset = -24
  @usableFromInline package static let nullsOffset = -32

  /// The number of slots that may be NULL: those of the columns.
  let columnCount: Int
  /// The number of all slots: those of the columns and the collections.
  package let slotCount: Int
  /// The size of the data before the slots, in bytes.
  package let headerSize: Int
  /// The slots that contain references to boxes.
  package let objectSlots: [Int]

  /// The number of properties that may have a box in the record: the columns, also the collections
  /// if the type has lazy collections, and all properties if it has inverse relationships.
  let boxCount: Int

  /// - Parameters:
  ///   - columnCount: the number of slots that may be NULL.
  ///   - slotCount: the number of all slots.
  ///   - reverseCount: the number of inverse relationships, which have no slots.
  package init(
    columnCount: Int, slotCount: Int, objectSlots: [Int], hasLazyCollections: Bool = false,
    reverseCount: Int = 0
  ) {
    self.columnCount = columnCount
    self.slotCount = slotCount
    boxCount =
      reverseCount > 0
      ? slotCount + reverseCount : hasLazyCollections ? slotCount : columnCount
    self.objectSlots = objectSlots
    headerSize = 24 + (columnCount + 63) / 64 * 8
  }

  /// The offset of the bytes from the address of the row.
  package var bytesOffset: Int { slotCount * 8 }
}
