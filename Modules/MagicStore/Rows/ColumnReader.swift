import Magical
import MagicSQLite

/// A column of a row, as values read it.
struct ColumnReader: MagicalReader {
  let column: SQLiteColumn

  var storageClass: MagicalStorageClass? { column.storageClass }
  var integer: Int64 { column.integer }
  var real: Double { column.real }
  var bytes: UnsafeRawBufferPointer {
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
