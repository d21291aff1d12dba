import CMagicSQLite
package import MagicRuntime

extension ValueDigest {
  /// Creates the digest of a column's value.
  package init(_ column: SQLiteColumn) { self.init(value: column.value) }

  init(value: OpaquePointer?) {
    let type = sqlite3_value_type(value)
    switch type {
    case SQLITE_INTEGER: self.init(integer: sqlite3_value_int64(value))
    case SQLITE_FLOAT: self.init(real: sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      self.init(
        text: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self.init(
        blob: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: self = .null
    }
  }
}
