import CMagicSQLite

/// The key of a recorded row: one or two values. The second one is the integer 0 if there is one.
package struct TouchedKey: Hashable {
  /// A value of a key. Numbers that SQLite calls equal are equal.
  fileprivate enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
  }

  private let first: Value
  private let second: Value

  init(_ first: OpaquePointer?, _ second: OpaquePointer?) {
    (self.first, self.second) = (Value(first), Value(second))
  }

  /// The first value, if it is an integer, as row IDs are; otherwise 0.
  package var number: Int64 {
    if case .integer(let number) = first { number } else { 0 }
  }

  /// Binds one or both values to the first parameters of a statement.
  package func bind(to statement: SQLiteStatement, count: Int) throws(SQLiteError) {
    try bind(first, to: statement, at: 1)
    if count > 1 { try bind(second, to: statement, at: 2) }
  }

  private func bind(
    _ value: Value, to statement: SQLiteStatement, at index: Int
  ) throws(SQLiteError) {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let number): try statement.bind(number, at: index)
    case .real(let number): try statement.bind(number, at: index)
    case .text(let bytes):
      try statement.check(bytes.withUnsafeBytes { statement.bind(textBytes: $0, at: index) })
    case .blob(let bytes):
      try statement.check(bytes.withUnsafeBytes { statement.bind(blobBytes: $0, at: index) })
    }
  }
}

extension TouchedKey.Value {
  fileprivate init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT:
      let number = sqlite3_value_double(value)
      self = Int64(exactly: number).map { .integer($0) } ?? .real(number)
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      self = .text(
        [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob(
        [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
    default: self = .null
    }
  }
}
