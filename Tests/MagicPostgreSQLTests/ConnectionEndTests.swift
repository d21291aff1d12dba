import Foundation
import MagicPostgreSQL
import PostgreSQLTestSupport
import Testing

/// Timeouts of connections, and what ends a connection or makes a commit uncertain.
@Suite(.requiresPostgreSQL) struct ConnectionEndTests {
  private func error(_ body: () throws -> Void) -> PostgreSQLError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PostgreSQLError
    }
  }

  @Test func aMalformedConnectionStringIsNotQuoted() {
    for information in [
      "host=/nonexistent password=Secret word", "password='Secret word", "Secret=word",
      "postgresql://user:Secret/word@localhost/shop", "postgresql://user:[Secret@localhost/word",
    ] {
      let failure = error { _ = try PostgreSQLConnection(information) }
      #expect(failure?.kind == .cannotConnect)
      #expect(failure?.description.contains("Secret") == false)
      #expect(failure?.description.contains("word\"") == false)
    }
  }

  @Test func theServerLosesVanishedClients() throws {
    let server = try PostgreSQLServer.shared.get()
    func sources(_ connection: PostgreSQLConnection) throws -> [String] {
      let result = try connection.execute(
        "SELECT source FROM pg_settings WHERE name LIKE 'tcp\\_%' ORDER BY name")
      return (0..<result.count).map { result.text($0, 0) }
    }
    #expect(try sources(server.connect()) == Array(repeating: "session", count: 4))
    let other = try PostgreSQLConnection(
      server.information + " options='-c tcp_user_timeout=5000' connect_timeout=2")
    #expect(try sources(other).last == "client")
  }

  @Test func aConnectionThatTheServerEndsAfterATimeoutIsLost() throws {
    let connection = try PostgreSQLServer.shared.get().connect()
    try connection.execute("SET idle_in_transaction_session_timeout TO 20")
    try connection.execute("BEGIN")
    Thread.sleep(forTimeInterval: 0.5)
    let failure = error { try connection.execute("SELECT 1") }
    #expect(failure?.kind == .connectionLost)
    #expect(failure?.sqlState == "25P03")
    #expect(connection.isLost)
  }

  @Test func aWarningOfATriggerDoesNotMakeACommitUncertain() throws {
    let connection = try PostgreSQLServer.shared.get().connect()
    try connection.execute(
      """
      CREATE TEMP TABLE item (n bigint);
      CREATE FUNCTION pg_temp.warn() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE WARNING ''late''; RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER late AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION pg_temp.warn()
      """)
    try connection.execute("BEGIN")
    try connection.execute("INSERT INTO item VALUES (1)")
    try connection.commit()
    #expect(try connection.execute("SELECT * FROM item").count == 1)
  }
}
