/// A batch of rows of values, valid until the engine reads the next batch.
@frozen @usableFromInline
package struct FieldRows {
  /// The fields of the rows, row by row.
  @usableFromInline package let values: FieldBuffer
  /// The number of fields of a row.
  @usableFromInline package let width: Int
  @usableFromInline package let count: Int

  package init(_ values: FieldBuffer, width: Int, count: Int) {
    self.values = values
    self.width = width
    self.count = count
  }

  /// Returns the value at the index of a row and the index of a column.
  @inlinable
  package func field(_ row: Int, _ column: Int) -> FieldReader {
    FieldReader(values, at: row * width + column)
  }
}
