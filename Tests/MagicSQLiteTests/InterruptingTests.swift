import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

@Suite struct InterruptingTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// Interrupts repeatedly until the work of the connection has ended.
  private func interrupting(
    _ connection: SQLiteConnection, while body: () throws -> Void
  ) -> SQLiteError? {
    let done = Recorder<Void>()
    let box = Unchecked(connection)
    let thread = Thread {
      while done.all.isEmpty {
        usleep(2_000)
        box.value.interrupt()
      }
      done.note(())
    }
    thread.start()
    let error = sqliteError(body)
    done.note(())
    while done.all.count < 2 { usleep(1_000) }
    return error
  }

  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test func anInterruptEndsAStatementThatRuns() throws {
    let connection = try memory()
    let error = interrupting(connection) { _ = try connection.integer(Self.endless) }
    #expect(error?.code == .interrupted)
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test func anInterruptedWriteStoresNothingOfItsTransaction() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a)")
    let error = interrupting(connection) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        try connection.execute(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) INSERT INTO t SELECT i FROM n"
        )
      }
    }
    #expect(error?.code == .interrupted)
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }
}
