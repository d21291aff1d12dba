import CMagicSQLite
import Foundation

/// Reader connections of an engine. They are opened before they are needed, and closed with the
/// writer connection.
final class Readers: @unchecked Sendable {
  private let lock = NSLock()
  private var opened: [CTwin] = []

  /// Returns the given number of connections, and opens missing ones.
  func first(_ count: Int, beside twin: CTwin) throws -> [CTwin] {
    try lock.withLock {
      while opened.count < count { opened.append(try Self.reader(beside: twin)) }
      return Array(opened.prefix(count))
    }
  }

  func close() {
    lock.withLock {
      for reader in opened { sqlite3_close_v2(reader.database) }
      opened = []
    }
  }

  private static func reader(beside twin: CTwin) throws -> CTwin {
    var database: OpaquePointer?
    let path = String(cString: sqlite3_db_filename(twin.database, "main"))
    let code = sqlite3_open_v2(
      path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let database else {
      throw CTwin.Failure(code: code, message: "open")
    }
    let reader = CTwin(database: database)
    try reader.execute("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY")
    return reader
  }
}
