import CMagicSQLite
import Foundation
import Workloads

/// The basic calls of all loops.
extension CTwin {
  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    return statement
  }

  @inline(__always)
  func finish(_ statement: OpaquePointer) throws {
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw failure(code) }
    sqlite3_reset(statement)
  }

  /// Whether there is another row.
  @inline(__always)
  func step(_ statement: OpaquePointer) throws -> Bool {
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return false }
    guard code == SQLITE_ROW else { throw failure(code) }
    return true
  }

  func execute(_ sql: String) throws {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func failure(_ code: Int32) -> Failure {
    Failure(code: code, message: String(cString: sqlite3_errmsg(database)))
  }

  /// Returns the row ID that a statement finds for a text.
  func zIndex(of id: String, _ find: OpaquePointer) throws -> Int64 {
    var id = id
    return try id.withUTF8 { bytes in
      bind(bytes, find, 1)
      let code = sqlite3_step(find)
      guard code == SQLITE_ROW else { throw failure(code) }
      defer { sqlite3_reset(find) }
      return sqlite3_column_int64(find, 0)
    }
  }

  @inline(__always)
  func bind(
    _ bytes: UnsafeBufferPointer<UInt8>, _ statement: OpaquePointer, _ index: Int32
  ) {
    sqlite3_bind_text(
      statement, index,
      bytes.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) },
      Int32(bytes.count), nil)
  }

  @inline(__always)
  func text(_ statement: OpaquePointer, _ index: Int32) -> String {
    let start = sqlite3_column_text(statement, index)
    let count = Int(sqlite3_column_bytes(statement, index))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  @inline(__always)
  func blob(_ statement: OpaquePointer, _ index: Int32) -> [UInt8] {
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, index),
      count: Int(sqlite3_column_bytes(statement, index)))
    return Array(bytes)
  }
}
