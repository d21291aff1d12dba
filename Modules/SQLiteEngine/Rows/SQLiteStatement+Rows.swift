public import MagicEngine
public import MagicSQLite

/// The current row of a statement: column 0 is the row ID, and the type's columns follow.
extension SQLiteStatement: PackableRow {
  @inlinable package var rowID: Int64 { column(0).integer }

  @inlinable package func value(_ index: Int) -> ColumnReader {
    // A table has fewer columns than the type has values.
    ColumnReader(column: column(at: Int32(truncatingIfNeeded: index &+ 1)))
  }
}

/// Reads a column of a row as a value.
@frozen @usableFromInline
package struct ColumnReader: PackableColumn {
  @usableFromInline let column: SQLiteColumn

  @inlinable package init(column: SQLiteColumn) { self.column = column }

  @inlinable package var kind: StoredKind {
    StoredKind(rawValue: UInt8(truncatingIfNeeded: column.typeCode)) ?? .null
  }

  @inlinable package var integer: Int64 { column.integer }
  @inlinable package var real: Double { column.real }
  @inlinable package var textBytes: UnsafeRawBufferPointer { column.textBytes }
  @inlinable package var blobBytes: UnsafeRawBufferPointer { column.blobBytes }
}

extension SQLiteColumn {
  /// The value as a row ID; nil if it is not an integer.
  package var rowKey: Int64? { isInteger ? integer : nil }
}
