import MagicData
import MagicDataPostgres
import PostgreSQLTestSupport
import Testing

/// The examples of transactions, lost connections and replicas of PostgreSQL.
@Suite(.requiresPostgreSQL) struct DocumentedFailover {
  @Test func anExclusiveBodyRunsOnce() async throws {
    let connection = try PostgreSQLServer.shared.get().information
    let magic = try await MagicData(
      postgres: connection, options: PostgresOptions(schema: "exclusive"))
    let person = Person(name: "Ada")
    person.age = 36

    try await magic.transaction(isolation: .exclusive) { transaction in
      person.age += 1
      try transaction.update(person)
    }

    do {
      try await magic.update(person)
    } catch let error as MagicError where error.code == .uncertain {
      if try await !magic.wasCommitted(error) { try await magic.update(person) }
    }

    #expect(try await magic.object(of: Person.self).map(\.age) == [37])
    await magic.close()
  }

  @Test func aDatabaseHasHostsAndAReplica() async throws {
    let server = try PostgreSQLServer()
    defer { server.stop() }
    let connection = server.information
    let hosts = connection + " target_session_attrs=read-write connect_timeout=2"
    let standby = connection

    let patient = PostgresOptions(reconnectTimeout: 60)
    let shop = try await MagicData(postgres: hosts, options: patient)

    let replicated = PostgresOptions(replica: MagicReplica(standby, maxLag: 2))
    let reports = try await MagicData(postgres: connection, options: replicated)

    let bounded = PostgresOptions(commitTimeout: 10)

    let writing = try await MagicData(postgres: connection, options: bounded)
    await writing.close()

    try await shop.update(Person(name: "Ada"))
    #expect(try await !reports.object(of: Person.self).isEmpty)
    await reports.close()
    await shop.close()
  }
}
