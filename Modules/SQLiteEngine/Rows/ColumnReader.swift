package import Magical
package import MagicSQLite

/// A column of a row, as values read it.
package struct ColumnReader: MagicalReader {
  let column: SQLiteColumn

  package init(column: SQLiteColumn) { self.column = column }

  package var storageClass: MagicalStorageClass? { column.storageClass }
  package var integer: Int64 { column.integer }
  package var real: Double { column.real }
  package var bytes: UnsafeRawBufferPointer {
    column.type == .text ? column.textBytes : column.blobBytes
  }
}

extension SQLiteColumn {
  var storageClass: MagicalStorageClass? {
    switch type {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    case .null: nil
    }
  }
}
