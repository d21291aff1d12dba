/// How a type's rows are packed.
///
/// ```
///  0  record      pointer to the ObjectRecord, nil until the object is changed
///  8  z-index
/// 16  NULL bits   one bit a column, in words of eight bytes
///  …  slots       eight bytes a column
///  …  bytes       of texts, blobs and UUIDs, each beginning anywhere; the row ends on eight
/// ```
@usableFromInline
package final class RowLayout: Sendable {
  @usableFromInline package static let zIndexOffset = 8
  @usableFromInline package static let nullsOffset = 16

  @usableFromInline package let columnCount: Int
  /// Where the slots begin.
  @usableFromInline package let slotsOffset: Int
  /// Where the bytes begin: the size of a row without any.
  @usableFromInline package let bytesOffset: Int
  /// The columns whose slots hold references to cells.
  package let objectColumns: [Int]

  package init(columnCount: Int, objectColumns: [Int]) {
    self.columnCount = columnCount
    self.objectColumns = objectColumns
    slotsOffset = RowLayout.nullsOffset + (columnCount + 63) / 64 * 8
    bytesOffset = slotsOffset + columnCount * 8
  }
}
