/// Some rows of values, valid until the engine reads on.
@frozen @usableFromInline
package struct FieldRows {
  /// The rows' fields, row by row.
  @usableFromInline package let values: FieldBuffer
  /// How many fields a row has.
  @usableFromInline package let width: Int
  @usableFromInline package let count: Int

  package init(_ values: FieldBuffer, width: Int, count: Int) {
    self.values = values
    self.width = width
    self.count = count
  }

  /// A value by its row and column, which count from 0.
  @inlinable
  package func field(_ row: Int, _ column: Int) -> FieldReader {
    FieldReader(values, at: row * width + column)
  }
}
