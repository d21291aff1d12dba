import MagicData
import MagicStore
import Testing

@Suite(.timeLimit(.minutes(5))) struct RawValuesTests {
  private let world: ValuedWorld
  private var magic: MagicData { world.magic }

  init() throws { world = try ValuedWorld() }

  private func counts(_ sql: String) -> ValuedResults<[Int]> {
    ValuedResults(magic.sql("/* counted */ \(raw: sql)").values(Int.self))
  }

  @Test func changesOfColumnsThatAStatementDoesNotReadAreIgnored() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    let sum = counts("SELECT sum(number) FROM ValuedHome")
    let count = counts("SELECT count(*) FROM ValuedHome")
    #expect(try await sum.first(1) == [[3]])
    #expect(try await count.first(1) == [[2]])
    try await world.expectsNoRead { try await world.sql("UPDATE ValuedHome SET rank = 5") }
    try await world.sql("UPDATE ValuedHome SET number = 5")
    #expect(try await sum.first(2)[1] == [10])
    try await world.sql("DELETE FROM ValuedHome WHERE street = 'Elm'")
    #expect(try await sum.first(3)[2] == [5])
    #expect(try await count.first(2)[1] == [1])
  }

  @Test func tablesBehindViewsWithClausesAndSubselectsAreObserved() async throws {
    try await magic.update(ValuedHome("Oak", 1))
    try await magic.update(ValuedPet("Rex"))
    try await world.sql("CREATE VIEW big AS SELECT number AS n FROM ValuedHome WHERE number > 3")
    let view = counts("SELECT count(*) FROM big")
    let with = counts("WITH b AS (SELECT number FROM ValuedHome) SELECT max(number) FROM b")
    let sub = counts("SELECT 7 WHERE EXISTS (SELECT 1 FROM ValuedHome WHERE number = 9)")
    _ = (try await view.first(1), try await with.first(1), try await sub.first(1))
    try await world.expectsNoRead {
      try await world.sql("UPDATE ValuedHome SET rank = 1")
      try await world.sql("UPDATE ValuedPet SET name = 'Max'")
    }
    try await world.sql("UPDATE ValuedHome SET number = 9")
    #expect(try await view.first(2)[1] == [1])
    #expect(try await with.first(2)[1] == [9])
    #expect(try await sub.first(2)[1] == [7])
  }

  @Test func aViewThatIsRedefinedIsReadAgain() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 5)])
    try await magic.update(ValuedPet("Rex"))
    try await world.sql("CREATE VIEW some AS SELECT number FROM ValuedHome")
    let view = counts("SELECT count(*) FROM some")
    #expect(try await view.first(1) == [[2]])
    try await magic.transaction { transaction in
      try transaction.sql("DROP VIEW some").run()
      try transaction.sql("CREATE VIEW some AS SELECT name FROM ValuedPet").run()
    }
    #expect(try await view.first(2)[1] == [1])
    try await magic.update(ValuedPet("Max"))
    #expect(try await view.first(3)[2] == [2])
  }

  @Test func tableValuedFunctionsAreNotObservedTables() async throws {
    try await magic.update(ValuedHome("Oak", 2))
    let found = counts(
      "SELECT count(*) FROM ValuedHome WHERE number IN (SELECT value FROM json_each('[1,2]'))")
    #expect(try await found.first(1) == [[1]])
    try await world.expectsNoRead { try await magic.update(ValuedPet("Rex")) }
    try await world.sql("UPDATE ValuedHome SET number = 3")
    #expect(try await found.first(2)[1] == [0])
  }

  @Test func aTableOfAModuleIsReadAfterEveryCommit() async throws {
    try await world.sql("CREATE VIRTUAL TABLE text USING fts5(body)")
    let found = counts("SELECT count(*) FROM text WHERE text MATCH 'oak'")
    #expect(try await found.first(1) == [[0]])
    try await world.sql("INSERT INTO text VALUES ('an oak')")
    #expect(try await found.first(2)[1] == [1])
    let before = world.count.value
    try await magic.update(ValuedPet("Rex"))
    try await world.counts(beyond: before)
    #expect(world.count.value > before && found.all.count == 2)
  }

  @Test func anUnmanagedTableIsObserved() async throws {
    try await world.sql("CREATE TABLE own (a INTEGER, b TEXT)")
    let found = counts("SELECT ifnull(sum(a), 0) FROM own")
    let rows = ValuedResults(magic.sql("SELECT * FROM own").values())
    _ = (try await found.first(1), try await rows.first(1))
    try await world.sql("INSERT INTO own VALUES (1, 'x')")
    #expect(try await found.first(2)[1] == [1])
    _ = try await rows.first(2)
    try await world.expectsNoRead { try await magic.update(ValuedPet("Rex")) }
    try await world.sql("ALTER TABLE own ADD COLUMN c DEFAULT 3")
    #expect(try await rows.first(3)[2].count == 1)
    try await world.sql("UPDATE own SET c = 4")
    _ = try await rows.first(4)
  }

  @Test func aGeneratedColumnCanChangeWithAnyColumn() async throws {
    try await magic.update(ValuedHome("Oak", 2))
    try await world.sql("ALTER TABLE ValuedHome ADD COLUMN twice AS (number * 2)")
    let found = counts("SELECT sum(twice) FROM ValuedHome")
    #expect(try await found.first(1) == [[4]])
    try await world.sql("UPDATE ValuedHome SET number = 3")
    #expect(try await found.first(2)[1] == [6])
  }

  @Test func objectsOfRawSQLAreFetchedWithTheirReferences() async throws {
    let home = ValuedHome("Oak")
    home.guests = [ValuedHuman("Ada")]
    try await magic.update(home)
    let found = ValuedResults(
      magic.sql("SELECT z_index FROM ValuedHome").values(of: ValuedHome.self))
    _ = try await found.first(1)
    try await world.sql("UPDATE ValuedHuman SET name = 'Eve'")
    #expect(try await found.first(2)[1][0].guests.map(\.name) == ["Eve"])
    home.guests = []
    try await magic.update(home)
    #expect(try await found.first(3)[2][0].guests.isEmpty)
  }

  @Test func aStatementThatWritesIsRefused() async throws {
    try await magic.update(ValuedPet("Rex"))
    let found = ValuedResults(magic.sql("DELETE FROM ValuedPet RETURNING name").values(String.self))
    try await found.ending()
    #expect((found.error as? MagicError)?.code == .invalidQuery)
    #expect(try await magic.object(of: ValuedPet.self).count == 1)
    #expect(magic.store.observerCount == 0)
  }

  @Test func anInvalidStatementThrowsAndEndsTheResults() async throws {
    var values = magic.sql("SELECT nothing FROM nowhere").values(Int.self).makeAsyncIterator()
    await #expect(throws: MagicError.self) { _ = try await values.next() }
    #expect(try await values.next() == nil)
    try await world.sql("CREATE TABLE own (a INTEGER)")
    let found = counts("SELECT count(*) FROM own")
    _ = try await found.first(1)
    try await world.sql("DROP TABLE own")
    try await found.ending()
    #expect(found.error is MagicError && magic.store.observerCount == 0)
  }
}

@Suite(.timeLimit(.minutes(5))) struct ValuesOfChangedTablesTests {
  @Test func rowsThatChangeBeforeATableIsCreatedAreReported() async throws {
    let world = try ValuedWorld()
    let pet = ValuedPet("Rex")
    try await world.magic.update(pet)
    let found = ValuedResults(world.magic.query(ValuedPet.self).values())
    _ = try await found.first(1)
    pet.name = "Max"
    try await world.magic.transaction { transaction in
      try transaction.update(pet)
      try transaction.sql("CREATE TABLE own (a)").run()
    }
    #expect(try await found.first(2)[1].map(\.name) == ["Max"])
    pet.name = "Tom"
    try await world.magic.transaction { transaction in
      try transaction.update(pet)
      try transaction.update(LivePet("x"))
    }
    #expect(try await found.first(3)[2].map(\.name) == ["Tom"])
  }
}
