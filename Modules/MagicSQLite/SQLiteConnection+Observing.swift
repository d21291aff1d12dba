import CMagicSQLite

/// What statements that yield rows are reported to while they run on a connection.
package protocol StatementObserver: AnyObject {
  /// A statement begins to run.
  func willRun(_ sql: String)
  /// A statement has stepped to a row, which is valid during the call.
  func didStep(to row: borrowing SQLiteRow)
}

/// The row that a statement is at.
package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  /// How many columns it has.
  package var columnCount: Int { Int(sqlite3_column_count(statement)) }

  /// A column, counted from 0.
  package func column(_ index: Int) -> SQLiteColumn {
    SQLiteColumn(value: sqlite3_column_value(statement, Int32(clamping: index)))
  }
}

extension SQLiteConnection {
  /// Reports every statement that yields rows, and each of its rows, to an observer while the body
  /// runs, also one that was compiled before.
  ///
  /// Statements that yield no rows are not reported, nor those that SQLite runs by itself: to read the
  /// schema, or for a module such as a full-text index, whose own reads are no result of the
  /// statement that looks into it. An observation inside another replaces it.
  package func reportingStatements<Result>(
    to observer: any StatementObserver, _ body: () throws -> Result
  ) rethrows -> Result {
    let report = StatementReport(observer, handle)
    report.install(on: handle.pointer)
    defer {
      withExtendedLifetime(report) {
        if let tracer = handle.tracer {
          tracer.install(on: handle.pointer)
        } else if let pointer = handle.pointer {
          sqlite3_trace_v2(pointer, 0, nil, nil)
        }
      }
    }
    return try body()
  }
}

/// What SQLite calls, of which a connection has one: it serves the observer and the SQL log.
private final class StatementReport {
  private let observer: any StatementObserver
  private let handle: ConnectionHandle

  init(_ observer: any StatementObserver, _ handle: ConnectionHandle) {
    self.observer = observer
    self.handle = handle
  }

  func install(on pointer: OpaquePointer?) {
    guard let pointer else { return }
    sqlite3_trace_v2(
      pointer, UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW),
      { event, context, statement, text in
        guard let context, let statement = statement.map({ OpaquePointer($0) }) else { return 0 }
        let report = Unmanaged<StatementReport>.fromOpaque(context).takeUnretainedValue()
        if event == UInt32(SQLITE_TRACE_ROW) {
          report.didStep(statement)
        } else {
          report.willRun(statement, text)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func willRun(_ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
    if let text { handle.tracer?.receive(statement, text) }
    // The text that SQLite passes is a comment for a trigger.
    guard handle.statements.contains(statement), sqlite3_column_count(statement) > 0,
      let sql = sqlite3_sql(statement)
    else { return }
    observer.willRun(String(cString: sql))
  }

  private func didStep(_ statement: OpaquePointer) {
    guard handle.statements.contains(statement) else { return }
    observer.didStep(to: SQLiteRow(statement))
  }
}
