import Foundation
import MagicPostgreSQL
import PostgreSQLTestSupport
import Testing

/// Commits that wait for a standby.
@Suite(.requiresPostgreSQL) struct StandbyTests {
  @Test func aCommitThatNoStandbyHasConfirmedIsUncertain() async throws {
    // The standby does not exist, so that each commit waits until it is cancelled.
    let server = try PostgreSQLServer(settings: ["synchronous_standby_names=missing"])
    let other = try server.connect()
    try other.execute("SET synchronous_commit TO local")
    try other.execute("CREATE TABLE number (n bigint)")
    let information = server.information
    let failure = Task.detached { () -> PostgreSQLError? in
      do {
        let connection = try PostgreSQLConnection(information)
        try connection.execute("BEGIN")
        try connection.execute("INSERT INTO number VALUES (1)")
        try connection.commit()
        return nil
      } catch {
        return error as? PostgreSQLError
      }
    }
    let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    while try other.execute("SELECT pid \(waiting)").count == 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    try other.execute("SELECT pg_cancel_backend(pid) \(waiting)")
    #expect(await failure.value?.kind == .uncertain)
    // The transaction was committed, although it is reported as uncertain.
    #expect(try other.execute("SELECT * FROM number").count == 1)
    server.stop()
  }
}
