import CMagicSQLite

/// Counts statements and rows of every connection that is opened.
///
/// Only one thread runs SQLite while it counts.
package enum StatementCounter {
  nonisolated(unsafe) package private(set) static var statements = 0
  nonisolated(unsafe) package private(set) static var rows = 0

  /// - Throws: SQLite's result code.
  package static func start() throws {
    typealias Extension =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
      ) -> Int32
    let onOpen: Extension = { connection, _, _ in
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW), StatementCounter.trace, nil)
    }
    // SQLite declares the function without its parameters.
    let code = sqlite3_auto_extension(
      unsafeBitCast(onOpen, to: (@convention(c) () -> Void).self))
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }

  package struct Failure: Error {
    let code: Int32
  }

  private static let trace:
    @convention(c) (
      UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { event, _, _, text in
      if event == UInt32(SQLITE_TRACE_ROW) {
        rows += 1
      } else if let text = text?.assumingMemoryBound(to: CChar.self),
        // SQLite reports statements of triggers as comments instead of SQL.
        text[0] != CChar(UInt8(ascii: "-"))
      {
        statements += 1
      }
      return 0
    }
}
