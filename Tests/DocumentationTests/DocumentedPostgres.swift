import Foundation
import MagicData
import MagicDataPostgres
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// The examples of databases of PostgreSQL.
@Suite(.requiresPostgreSQL) struct DocumentedPostgres {
  @Test func aDatabaseOfPostgreSQLIsOpened() async throws {
    let connection = try PostgreSQLServer.shared.get().information

    let magic = try await MagicData(postgres: connection)
    try await magic.update(Person(name: "Ada"))
    let people = try await magic.object(of: Person.self)

    #expect(people.map(\.name) == ["Ada"])
    print(try await magic.migrationPlan(for: Person.self))
    try await magic.migrate(Person.self)
    try await magic.createIndexesConcurrently(for: Person.self)
    await magic.close()

    let options = PostgresOptions(schema: "tenant 7", readers: 8)
    let tenant = try await MagicData(postgres: connection, options: options)

    #expect(try await tenant.object(of: Person.self).isEmpty)
    await tenant.close()
  }

  @Test func aDatabaseIsMovedToAServerAndBack() async throws {
    let directory = try TemporaryDirectory()
    let (path, copy) = (directory.file("people").path, directory.file("copy").path)
    let server = try PostgreSQLServer()
    defer { withExtendedLifetime(server) {} }
    let connection = server.information
    let magic = try await MagicData(path: path)
    try await magic.update(Person(name: "Ada"))
    await magic.close()

    let summary = try await MagicData.copy(
      from: .file(path), to: .postgres(connection, schema: "moved"))
    print("\(summary.rows) rows, \(summary.assets) assets")
    try await MagicData.copy(from: .postgres(connection, schema: "moved"), to: .file(copy))

    #expect(summary.rows > 0)
    let moved = try await MagicData(path: copy)
    #expect(try await moved.object(of: Person.self).map(\.name) == ["Ada"])
    await moved.close()
    try await copyAll(path, connection)
  }

  /// The example of the call.
  private func copyAll(_ path: String, _ connection: String) async throws {
    let summary = try await MagicData.copy(from: .file(path), to: .postgres(connection))
    #expect(summary.tables.map(\.rows).contains(1))
  }

  @Test func observersReceiveTheCommitsOfAllProcesses() async throws {
    let connection = try PostgreSQLServer.shared.get().information

    let options = PostgresOptions(observation: .automatic)
    let magic = try await MagicData(postgres: connection, options: options)
    let stream = magic.changes(of: Person.self)
    try await magic.update(Person(name: "Grace"))
    await magic.close()
    var inserted: [Int] = []
    for await changes in stream {
      inserted.append(changes.inserted.count)
      #expect(changes.origin == .process)
    }

    #expect(inserted == [1])
  }

  @Test func queriesRunAsOnSQLite() async throws {
    let server = try PostgreSQLServer.shared.get()
    let magic = try await MagicData(
      postgres: server.information, options: PostgresOptions(schema: "matches"))
    try await magic.update(Match("Home"))

    let home = try await magic.query(Match.self)
      .where { $0.$place.lowercased() == "home" }
      .count()
    let places = try await magic.sql(
      "SELECT \(column: \Match.$place), count(*) FROM \(table: Match.self) GROUP BY 1"
    ).rows(String.self, Int.self)

    #expect(home == 1)
    #expect(places.map(\.0) == ["Home"])
    await magic.close()
  }
}

private struct Match: MagicObject {
  @MagicValue var place = ""

  init() {}
  init(_ place: String) { self.place = place }
}
