import CMagicSQLite

/// A connection without protection: no foreign keys, a writable schema and, by default, no triggers.
final class RawDatabase {
  private var pointer: OpaquePointer?

  init(_ path: String, firesTriggers: Bool = false) throws {
    guard sqlite3_open_v2(path, &pointer, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      throw Finding("the database of a run cannot be opened")
    }
    sqlite3_busy_timeout(pointer, 1_000)
    for (flag, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, firesTriggers ? 1 : 0),
    ] {
      var result: Int32 = 0
      _ = magic_sqlite3_db_config_flag(pointer, flag, Int32(value), &result)
    }
    try execute("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON")
  }

  deinit { close() }

  func close() {
    sqlite3_close(pointer)
    pointer = nil
  }

  /// - Throws: `Finding` if SQLite refuses the statement.
  func execute(_ sql: String) throws {
    guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else {
      throw Finding("\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }
  }

  /// Runs a statement that SQLite may refuse.
  ///
  /// - Returns: Whether the statement succeeded.
  @discardableResult
  func run(_ sql: String, _ values: [RawValue] = []) -> Bool {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK else { return false }
    bind(values, to: statement)
    return sqlite3_step(statement) == SQLITE_DONE
  }

  /// - Throws: `Finding` if SQLite refuses the statement.
  func rows(_ sql: String, _ values: [RawValue] = []) throws -> [[RawValue]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Finding("\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
    }
    bind(values, to: statement)
    var rows: [[RawValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(statement)).map { RawValue(statement, $0) })
      case SQLITE_DONE: return rows
      default: throw Finding("\(sql): \(String(cString: sqlite3_errmsg(pointer)))")
      }
    }
  }

  private func bind(_ values: [RawValue], to statement: OpaquePointer?) {
    for (index, value) in values.enumerated() {
      let index = Int32(index + 1)
      switch value {
      case .null: sqlite3_bind_null(statement, index)
      case .integer(let value): sqlite3_bind_int64(statement, index, value)
      case .real(let bits): sqlite3_bind_double(statement, index, Double(bitPattern: bits))
      case .text(let bytes):
        (bytes + [0]).withUnsafeBytes {
          _ = magic_sqlite3_bind_text_copy(
            statement, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self),
            Int32(bytes.count))
        }
      case .blob(let bytes):
        if bytes.isEmpty {
          sqlite3_bind_zeroblob(statement, index, 0)
        } else {
          bytes.withUnsafeBytes {
            _ = magic_sqlite3_bind_blob_copy(statement, index, $0.baseAddress, Int32($0.count))
          }
        }
      }
    }
  }
}

/// A stored value, byte for byte.
enum RawValue: Hashable {
  case null
  case integer(Int64)
  case real(UInt64)
  case text([UInt8])
  case blob([UInt8])

  static func text(_ text: String) -> RawValue { .text(Array(text.utf8)) }

  fileprivate init(_ statement: OpaquePointer?, _ index: Int32) {
    func bytes() -> [UInt8] {
      let start = sqlite3_column_blob(statement, index)
      let count = Int(sqlite3_column_bytes(statement, index))
      return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, index).bitPattern)
    case SQLITE_TEXT: self = .text(bytes())
    case SQLITE_BLOB: self = .blob(bytes())
    default: self = .null
    }
  }
}
