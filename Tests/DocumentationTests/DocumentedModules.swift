import Foundation
import MagicData
import MagicDataTesting
import MagicSQLite
import MagicStore
import MagicTestSupport
import Observation
import Testing

/// The examples in the documentation comments of single modules.
@Suite struct DocumentedModules {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("example.sqlite3").path }

  @MainActor @Test func liveResultsStayUpToDate() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let adults = MagicLiveQuery(magic.query(Person.self).where(\.$age >= 18).order(by: \.$name))
    let names = withObservationTracking {
      adults.results.map(\.name)
    } onChange: {
      print("there are others")
    }
    #expect(names.isEmpty)

    let live = MagicLiveObject(of: Person.self, primary: ada.id, in: magic)
    print(live.object?.name ?? "not loaded yet")
    for _ in 0..<1_000 where live.isLoading { try await Task.sleep(for: .milliseconds(5)) }
    #expect(live.object?.name == "Ada")
    await magic.close()
  }

  @Test func aConnectionIsUsedByOneThread() throws {
    let connection = try SQLiteConnection(path: path)
    try connection.execute("CREATE TABLE person (name TEXT)")
    try connection.transaction {
      let insert = try connection.cachedStatement("INSERT INTO person VALUES (?)")
      try insert.bind("Ada", at: 1)
      try insert.run()
    }

    #expect(try connection.text("SELECT name FROM person") == "Ada")
  }

  @Test func aDatabaseIsUsedByTasks() async throws {
    let database = try SQLiteDatabase(path: path)
    try await database.write { connection in
      try connection.execute("CREATE TABLE person (name TEXT)")
    }
    let count = try await database.read { connection in
      try connection.integer("SELECT count(*) FROM person")
    }

    #expect(count == 0)
    await database.close()
  }

  @Test func aStoreIsUsedByThreads() throws {
    let store = try MagicObjectStore.open(.file(path))
    try store.update(Person(name: "Ada"))
    let people = try store.object(of: Person.self)
    store.close()

    #expect(people.map(\.name) == ["Ada"])
  }

  @Test func aStoreIsSuspended() throws {
    let store = try MagicObjectStore.open(.file(path))
    defer { store.close() }

    try store.suspend()
    store.resume()

    try store.update(Person(name: "Ada"))
  }

  @Test func theFirstLinesOfTheDatabase() async throws {
    let magic = try await MagicData(path: path)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let people = try await magic.object(of: Person.self)

    #expect(people.count == 1)
  }

  @Test func aClosurePicksAnObject() async throws {
    let magic = try await MagicData(type: .memory)
    try await magic.update(Person(name: "Ada"))

    let ada = try await magic.object(of: Person.self).where { $0.name == "Ada" }

    #expect(ada.name == "Ada")
  }

  @Test func aDatabaseIsKeptAndItsCopiesAreMigrated() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Person(name: "Ada"))
    let fixtures = directory.url
    let file = fixtures.appendingPathComponent("1.0.sqlite3")
    try await MagicMigrationFixture.record(magic, to: file)
    await magic.close()

    let fixture = try MagicMigrationFixture(copying: file)
    let plan = try await fixture.migrate(Person.self)
    let migrated = try await fixture.open()

    #expect(plan.isEmpty)
    #expect(try await migrated.object(of: Person.self).map(\.name) == ["Ada"])
    await migrated.close()
  }

  @Test func declaredTypesAreStored() async throws {
    let magic = try await MagicData(type: .memory)
    let contact = Contact()
    (contact.firstName, contact.lastName, contact.email) = ("Ada", "Lovelace", "ada@example.org")
    try await magic.update(contact)
    let ticket = Ticket()
    ticket.name = "front row"
    try await magic.update(ticket)
    try await magic.update(Article())
    #expect(ticket.number == 1)
    #expect(try await magic.object(of: Article.self).count == 1)
    #expect(try await magic.object(of: Contact.self, primary: contact.uuid).lastName == "Lovelace")
  }
}
