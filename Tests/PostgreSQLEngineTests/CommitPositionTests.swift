import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Commits whose position in the server's log cannot be read.
@Suite(.requiresPostgreSQL) struct CommitPositionTests {
  @Test func aSaveIsStoredIfItsUserMayNotReadThePosition() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let control = try server.connect()
    try control.execute(
      """
      REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM PUBLIC; \
      CREATE ROLE shop LOGIN; CREATE SCHEMA shop AUTHORIZATION shop; \
      GRANT CREATE ON DATABASE postgres TO shop
      """)
    let information = "host=\(server.directory) user=shop dbname=postgres"
    let magic = try await MagicData(
      postgres: information,
      options: PostgresOptions(
        schema: "shop", replica: MagicReplica(information, maxLag: 60)))
    let city = City("Oslo")
    try await magic.update(city)
    #expect(city.zIndex != nil)
    try await magic.transaction { transaction in
      city.population = 1
      try transaction.update(city)
    }
    let stored = try control.execute("SELECT population FROM shop.\"City\"")
    #expect(stored.count == 1 && stored.text(0, 0) == "1")
    #expect(try await magic.object(of: City.self).map(\.population) == [1])
    await magic.close()
  }

  @Test func theResultOfTheCommitIsDistinguishedFromThatOfTheQueryAfterIt() throws {
    let connection = try PostgreSQLServer.shared.get().connect()
    defer { connection.close() }
    try connection.execute(
      "CREATE TEMPORARY TABLE number (n bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
    try connection.execute("BEGIN")
    let result = try connection.commit(
      after: "INSERT INTO number VALUES (1); SELECT 1", then: "SELECT 1 / 0")
    #expect(result == nil)
    try connection.execute("BEGIN")
    let next = try connection.commit(after: "INSERT INTO number VALUES (2)", then: "SELECT 7")
    #expect(next?.text(0, 0) == "7")
    // The commit itself fails.
    try connection.execute("BEGIN")
    #expect(throws: PostgreSQLError.self) {
      try connection.commit(after: "INSERT INTO number VALUES (2)", then: "SELECT 7")
    }
    #expect(try connection.execute("SELECT FROM number").count == 2)
  }
}
