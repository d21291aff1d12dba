import Foundation
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// The cancellation of statements on one connection.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct StatementCancellationTests {
  private func failure<Result>(_ body: () throws -> Result) -> PostgreSQLError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? PostgreSQLError
    }
  }

  /// A place with an open connection.
  private func place() throws -> PooledConnection {
    let server = try PostgreSQLServer.shared.get()
    let place = PooledConnection { try server.connect() }
    _ = try place.connection()
    return place
  }

  private func process(of place: PooledConnection) throws -> String {
    try place.connection().execute("SELECT pg_backend_pid()").text(0, 0)
  }

  @Test func aStatementIsInterruptedAndItsConnectionIsClosed() throws {
    let place = try place()
    let former = try process(of: place)
    let cancellation = StatementCancellation()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      cancellation.cancel()
    }
    let error = failure {
      try place.run(cancellation) { try place.connection().execute("SELECT pg_sleep(600)") }
    }
    #expect(error?.kind == .cancelled)
    #expect(try process(of: place) != former)
    place.close()
  }

  @Test func aCallThatIsCancelledBeforeItsStatementSendsNothing() throws {
    let place = try place()
    let former = try process(of: place)
    let cancellation = StatementCancellation()
    let error = failure {
      try place.run(cancellation) {
        cancellation.cancel()
        try place.connection().execute("CREATE TABLE must_not_exist (n bigint)")
      }
    }
    #expect(error?.kind == .cancelled)
    // No request was sent, so that the connection is used again.
    #expect(try process(of: place) == former)
    #expect(
      try place.connection().execute("SELECT to_regclass('must_not_exist') IS NULL").text(0, 0)
        == "t")
    place.close()
  }

  @Test func theEndOfACallEndsItsCancellation() throws {
    let place = try place()
    let cancellation = StatementCancellation()
    _ = try place.run(cancellation) { try place.connection().execute("SELECT 1") }
    cancellation.cancel()
    #expect(!cancellation.isCancelled)
    #expect(try place.connection().execute("SELECT count(pg_sleep(0.1))").count == 1)
    place.close()
  }

  @Test func copiesAreInterrupted() throws {
    let place = try place()
    let cancellation = StatementCancellation()
    var count = 0
    let error = failure {
      try place.run(cancellation) {
        try place.connection().copy(
          "COPY (SELECT n, pg_sleep(0.01)::text FROM generate_series(1::bigint, 100000) AS n) "
            + "TO STDOUT (FORMAT binary)", columnCount: 2
        ) { _ in
          count += 1
          if count == 1 { cancellation.cancel() }
        }
      }
    }
    #expect(error?.kind == .cancelled)
    #expect((1..<100_000).contains(count))
    place.close()
  }

  @Test func aCancelledTransactionIsRolledBackAndNotCommitted() throws {
    let place = try place()
    let cancellation = StatementCancellation()
    let error = failure {
      try place.run(cancellation) {
        let connection = try place.connection()
        try connection.execute("BEGIN")
        cancellation.cancel()
        do {
          try connection.commit()
        } catch {
          connection.rollBack()
          #expect(connection.transactionState != .open)
          throw error
        }
      }
    }
    #expect(error?.kind == .cancelled)
    place.close()
  }

  @Test func aPolledCallIsInterrupted() throws {
    let place = try place()
    let isOver = Flag()
    let cancellation = StatementCancellation { isOver.isSet }
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      isOver.set()
    }
    let error = failure {
      try place.run(cancellation) { try place.connection().execute("SELECT pg_sleep(600)") }
    }
    #expect(error?.kind == .cancelled)
    place.close()
  }

  @Test func aForkedProcessSendsNothing() throws {
    let place = try place()
    let cancellation = StatementCancellation()
    let server = try PostgreSQLServer.shared.get()
    let process = try process(of: place)
    let isOver = Flag()
    Thread.detachNewThread {
      defer { isOver.set() }
      guard let control = try? server.connect() else { return }
      let active = "SELECT FROM pg_stat_activity WHERE state = 'active' AND pid = \(process)"
      while (try? control.execute(active).count) == 0 { Thread.sleep(forTimeInterval: 0.005) }
      _ = try? ForkedChild { _ in
        cancellation.cancel()
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
    let result = try place.run(cancellation) {
      try place.connection().execute("SELECT count(pg_sleep(1))").text(0, 0)
    }
    #expect(result == "1")
    isOver.wait()
    place.close()
  }
}
