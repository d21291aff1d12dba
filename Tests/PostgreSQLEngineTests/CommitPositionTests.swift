import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Commits whose position in the server's log cannot be read.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(2))) struct CommitPositionTests {
  /// Creates a role that may not read the position, with a schema of its own.
  private func createRole(on server: PostgreSQLServer) throws -> String {
    try server.connect().execute(
      """
      REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM PUBLIC; \
      CREATE ROLE shop LOGIN; CREATE SCHEMA shop AUTHORIZATION shop; \
      GRANT CREATE ON DATABASE postgres TO shop
      """)
    return "host=\(server.directory) user=shop dbname=postgres"
  }

  @Test func aSaveIsStoredIfItsUserMayNotReadThePosition() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let information = try createRole(on: server)
    let magic = try await MagicData(
      postgres: information,
      options: PostgresOptions(schema: "shop", replica: MagicReplica(information, maxLag: 60)))
    let city = City("Oslo")
    try await magic.update(city)
    #expect(city.zIndex != nil)
    try await magic.transaction { transaction in
      city.population = 1
      try transaction.update(city)
    }
    let stored = try server.connect().execute("SELECT population FROM shop.\"City\"")
    #expect(stored.count == 1 && stored.text(0, 0) == "1")
    #expect(try await magic.object(of: City.self).map(\.population) == [1])
    await magic.close()
  }

  @Test func itsObserversLearnOfTheCommitsOfOtherProcesses() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let information = try createRole(on: server)
    let former = try await MagicData(
      postgres: information, options: PostgresOptions(schema: "shop"))
    try await former.update(City("Oslo"))
    await former.close()
    // No commit of this database has shown that the position cannot be read.
    let magic = try await MagicData(
      postgres: information,
      options: PostgresOptions(
        schema: "shop", replica: MagicReplica(information, maxLag: 60),
        observation: .outbox(every: 0.1)))
    var changes = magic.changes(of: City.self).makeAsyncIterator()
    let control = try server.connect()
    var last: MagicChanges<City>?
    // The question for the position fails once, and the publisher connects again.
    for number in 0..<20 where last?.isComplete != true {
      try control.execute(
        "INSERT INTO shop.\"City\" (z_index, name, population) "
          + "VALUES (\(1_000_000 + number), '\(number)', 0)")
      last = await changes.next()
    }
    #expect(last?.isComplete == true)
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
