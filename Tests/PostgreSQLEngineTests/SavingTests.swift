import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport
import Testing

@Suite(.requiresPostgreSQL) struct SavingTests {
  @Test func anObjectIsInsertedUpdatedAndRemoved() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let city = City("Oslo", population: 700_000)
    try store.update(city)
    #expect(try store.object(of: City.self, primary: "Oslo").population == 700_000)
    city.population = 1
    try store.update(city)
    #expect(try store.object(of: City.self, primary: "Oslo").population == 1)
    try store.remove(city)
    #expect(try store.object(of: City.self).isEmpty)
    #expect(code { _ = try store.object(of: City.self, primary: "Oslo") } == .notFound)
  }

  @Test func aNewObjectReplacesTheRowWithItsPrimary() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let first = City("Oslo", population: 1)
    try store.update(first)
    let second = City("Oslo", population: 2)
    let other = City("Rome", population: 3)
    try store.update(contentsOf: [second, other])
    #expect(second.zIndex == first.zIndex)
    #expect(try store.object(of: City.self).map(\.population) == [2, 3])
    #expect(code { try store.insert(City("Rome")) } == .notUnique)
  }

  @Test func aSecondUniqueValueNamesTheProperty() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let (oslo, rome) = (City("Oslo"), City("Rome"))
    (oslo.code, rome.code) = ("x", "x")
    do {
      try store.update(contentsOf: [oslo, rome])
      Issue.record("The second value was stored.")
    } catch let error as MagicError {
      #expect(error.code == .notUnique)
      #expect(error.type == "City")
      #expect(error.property == "code")
      #expect(!"\(error)".contains("\"x\""))
    }
    // Nothing was stored, and the objects are new again.
    #expect(oslo.zIndex == nil)
    #expect(try store.object(of: City.self).isEmpty)
    rome.code = "y"
    try store.update(contentsOf: [oslo, rome])
    #expect(try store.object(of: City.self).count == 2)
  }

  @Test func primariesAreAssigned() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let tickets = (0..<5).map { Ticket("ticket \($0)") }
    try store.update(contentsOf: tickets)
    #expect(tickets.map(\.number) == [1, 2, 3, 4, 5])
    let chosen = Ticket("chosen")
    chosen.number = 100
    let next = Ticket("next")
    try store.transaction { transaction in
      try transaction.update(chosen)
      try transaction.update(next)
    }
    #expect(next.number == 101)
    try store.remove(next)
    let last = Ticket("last")
    try store.update(last)
    #expect(last.number == 102)
  }

  @Test func anOutdatedVersionIsRefused() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let ticket = Ticket("first")
    try store.update(ticket)
    let other = try store.object(of: Ticket.self, primary: ticket.number)
    other.title = "second"
    try store.update(other)
    ticket.title = "third"
    #expect(code { try store.update(ticket) } == .conflict)
    #expect(code { try store.remove(ticket) } == .conflict)
    #expect(try store.object(of: Ticket.self).map(\.title) == ["second"])
    // A new object with the same primary continues the versions.
    let again = Ticket("fourth")
    again.number = ticket.number
    try store.update(again)
    #expect(again.version == 3)
  }

  @Test func aRemovedRowIsNotUpdated() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let cities = ["a", "b", "c"].map { City($0) }
    try store.update(contentsOf: cities)
    let again = try store.object(of: City.self, primary: "b")
    try store.remove(again)
    for city in cities { city.population = 9 }
    #expect(code { try store.update(contentsOf: cities) } == .notFound)
    #expect(try store.object(of: City.self).map(\.population) == [0, 0])
    try store.update(contentsOf: cities, ifMissing: .insert)
    #expect(try store.object(of: City.self).map(\.population) == [9, 9, 9])
  }

  @Test func objectsAreFetchedByManyPrimaries() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    try store.update(contentsOf: (0..<50).map { City("city \($0)", population: $0) })
    let found = try store.object(of: City.self, primaries: ["city 7", "none", "city 3", "city 7"])
    #expect(found.map(\.population) == [7, 3, 7])
    #expect(try store.has(of: City.self, primary: "city 9"))
    #expect(try !store.has(of: City.self, primary: "none"))
  }

  @Test func anErrorInATransactionRollsEverythingBack() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    let (oslo, rome) = (City("Oslo"), City("Rome"))
    try store.update(rome)
    #expect(throws: CancellationError.self) {
      try store.transaction { transaction in
        try transaction.update(oslo)
        rome.population = 5
        try transaction.update(rome)
        throw CancellationError()
      }
    }
    #expect(oslo.zIndex == nil)
    #expect(try store.object(of: City.self).map(\.population) == [0])
    // The change of the object is kept, and can be saved.
    try store.update(rome)
    #expect(try store.object(of: City.self).map(\.population) == [5])
  }

  @Test func anErrorThatIsCaughtInATransactionRollsBackItsPart() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    try store.update(City("Oslo"))
    try store.transaction { transaction in
      try transaction.update(City("Rome"))
      #expect(code { try transaction.insert(City("Oslo")) } == .notUnique)
      try transaction.update(City("Paris"))
    }
    #expect(try store.object(of: City.self).map(\.name) == ["Oslo", "Rome", "Paris"])
  }

  @Test func aClosedDatabaseIsNotRead() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("Oslo"))
    await magic.close()
    await #expect(throws: MagicError.self) { _ = try await magic.object(of: City.self) }
  }
}
