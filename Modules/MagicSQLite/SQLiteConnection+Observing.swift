import CMagicSQLite

/// Observes the statements with result rows while they run on a connection.
package protocol StatementObserver: AnyObject {
  /// A statement begins to run.
  func willRun(_ sql: String)
  /// A statement has stepped to a row. The row is valid during the call.
  func didStep(to row: borrowing SQLiteRow)
}

/// The current row of a statement.
package struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  /// The number of columns.
  package var columnCount: Int { Int(sqlite3_column_count(statement)) }

  /// Returns a column. The index starts at 0.
  package func column(_ index: Int) -> SQLiteColumn {
    SQLiteColumn(value: sqlite3_column_value(statement, Int32(clamping: index)))
  }
}

extension SQLiteConnection {
  /// Reports every statement that returns rows, and each of its rows, to an observer while the body
  /// runs. Statements that were compiled before the call are included.
  ///
  /// Statements that return no rows are not reported. Neither are the statements that SQLite runs
  /// internally: those that read the schema, and those of a module, for example of a full-text
  /// index, whose own reads are not results of the statement that uses the module. A nested call
  /// replaces the observer.
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

/// The target of SQLite's trace callback. A connection has only one callback, so this class serves
/// both the observer and the SQL log.
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
    // For a trigger, SQLite passes a comment instead of the SQL.
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
