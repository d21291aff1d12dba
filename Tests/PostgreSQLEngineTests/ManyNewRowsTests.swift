import Foundation
import MagicData
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLEngine
import PostgreSQLTestSupport
import Testing

/// New objects that the server inserts while the next ones are captured.
@Suite(.requiresPostgreSQL) struct ManyNewRowsTests {
  /// More than two times the rows that are captured at once.
  private static let count = 20_000

  /// Opens a database whose statements are recorded.
  private func open(_ schema: TestSchema, _ statements: Recorder<String>) throws -> MagicData {
    var settings = PostgreSQLSettings(schema.server.information)
    settings.schema = schema.name
    settings.trace = { statements.note($0) }
    return MagicData(try PostgreSQLDatabase(settings))
  }

  private func count(_ statements: Recorder<String>, _ beginnings: String...) -> [Int] {
    beginnings.map { beginning in statements.all.filter { $0.contains(beginning) }.count }
  }

  private func cities(_ range: Range<Int> = 0..<count) -> [City] {
    range.map { City("city \($0)", population: $0) }
  }

  @Test func allObjectsAreStoredWithTheirRowIDs() async throws {
    let magic = try await TestSchema().openMagicData()
    let matches = (0..<Self.count).map { Match("match \($0)") }
    try await magic.update(contentsOf: matches)
    #expect(Set(matches.compactMap(\.zIndex)).count == Self.count)
    let stored = try await magic.object(of: Match.self)
    #expect(stored.map(\.zIndex) == matches.map(\.zIndex))
    #expect(stored.map(\.place) == matches.map(\.place))
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func storedObjectsAmongThemAreUpdated() async throws {
    let magic = try await TestSchema().openMagicData()
    // One is in the second part of the rows, and two in the last one.
    let known = [9_000, 17_000, 19_999].map { City("city \($0)", population: -1) }
    try await magic.update(contentsOf: known)
    let cities = cities()
    try await magic.update(contentsOf: cities)
    #expect([9_000, 17_000, 19_999].map { cities[$0].zIndex } == known.map(\.zIndex))
    let stored = try await magic.object(of: City.self)
    #expect(stored.map(\.population).sorted() == Array(0..<Self.count))
    let rows = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0.zIndex) })
    #expect(cities.allSatisfy { rows[$0.name] == $0.zIndex })
    await magic.close()
  }

  @Test func theLastOfTwoObjectsWithOnePrimaryIsStored() async throws {
    let magic = try await TestSchema().openMagicData()
    var cities = cities()
    let other = City("city 5", population: -1)
    cities[12_000] = other
    cities[13_000] = cities[6]
    try await magic.update(contentsOf: cities)
    #expect(other.zIndex == cities[5].zIndex && other.zIndex != nil)
    #expect(try await magic.object(of: City.self, primary: "city 5").population == -1)
    #expect(try await magic.object(of: City.self).count == Self.count - 2)
    await magic.close()
  }

  @Test(arguments: [100, 9_000, 19_000])
  func aUniqueValueOfAnotherRowIsRefused(_ place: Int) async throws {
    let magic = try await TestSchema().openMagicData()
    let oslo = City("Oslo")
    oslo.code = "OSL"
    try await magic.update(oslo)
    let cities = cities()
    cities[place].code = "OSL"
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: cities)
    }
    #expect(error?.code == .notUnique && error?.property == "code")
    #expect(cities.allSatisfy { $0.zIndex == nil })
    #expect(try await magic.object(of: City.self).map(\.name) == ["Oslo"])
    // The body of a transaction continues.
    try await magic.transaction { transaction in
      try transaction.update(City("Rome"))
      #expect(throws: MagicError.self) { try transaction.update(contentsOf: cities) }
      #expect(try transaction.object(of: City.self).count == 2)
      cities[place].code = nil
      try transaction.update(contentsOf: cities)
    }
    #expect(try await magic.object(of: City.self).count == Self.count + 2)
    #expect(cities.allSatisfy { $0.zIndex != nil })
    await magic.close()
  }

  @Test func anObjectThatMustBeNewIsRefused() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(City("city 9000", population: -1))
    let cities = cities()
    let error = await #expect(throws: MagicError.self) {
      try await magic.insert(contentsOf: cities)
    }
    #expect(error?.code == .notUnique && error?.property == "name")
    #expect(try await magic.object(of: City.self).map(\.population) == [-1])
    await magic.close()
  }

  @Test(arguments: [0, 10, 40, 100])
  func aCancelledSaveStoresNothing(_ milliseconds: Int) async throws {
    let magic = try await TestSchema().openMagicData()
    let cities = cities()
    let task = Task { try await magic.update(contentsOf: cities) }
    try await Task.sleep(for: .milliseconds(milliseconds))
    task.cancel()
    // The save may have ended before.
    let isSaved = (try? await task.value) != nil
    #expect(try await magic.object(of: City.self).count == (isSaved ? Self.count : 0))
    #expect(cities.allSatisfy { ($0.zIndex != nil) == isSaved })
    try await magic.update(contentsOf: cities)
    #expect(try await magic.object(of: City.self).count == Self.count)
    await magic.close()
  }

  @Test func allRowsOfATypeAreRemoved() async throws {
    let magic = try await TestSchema().openMagicData()
    // More than the rows that are removed with one statement.
    let matches = (0..<140_000).map { Match("match \($0)") }
    try await magic.update(contentsOf: matches)
    #expect(try await magic.removeAll(of: Match.self) == matches.count)
    #expect(try await magic.query(Match.self).count() == 0)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func anObjectWithoutAValueEndsTheSaveWhileRowsAreInserted() async throws {
    let statements = Recorder<String>()
    let magic = try open(try TestSchema(), statements)
    let stored = Device(UUID(), -1)
    try await magic.update(stored)
    let devices = (0..<Self.count).map { index in
      index == 9_000 ? Device() : Device(index == 5 ? stored.id : UUID(), index)
    }
    statements.clear()
    let thrown = await code { try await magic.update(contentsOf: devices) }
    #expect(thrown == .missingValue)
    #expect(devices.allSatisfy { $0.zIndex == nil })
    #expect(count(statements, "COPY", "ON CONFLICT") == [1, 0])
    // The conflict of the first save has no effect on the next one.
    statements.clear()
    try await magic.update(contentsOf: (0..<Self.count).map { Device(UUID(), $0) })
    #expect(count(statements, "COPY", "ON CONFLICT") == [3, 0])
    #expect(try await magic.query(Device.self).count() == Self.count + 1)
    // In a body, too.
    try await magic.transaction { transaction in
      #expect(code { try transaction.update(contentsOf: devices) } == .missingValue)
      devices[9_000].level = 9_000
      try transaction.update(contentsOf: devices)
    }
    #expect(try await magic.query(Device.self).count() == 2 * Self.count)
    #expect(try await magic.object(of: Device.self, primary: stored.id).level == 5)
    await magic.close()
  }

  @Test func updatesAndInsertionsInTurnsAreTwoStatements() async throws {
    let statements = Recorder<String>()
    let magic = try open(try TestSchema(), statements)
    let stored = (0..<200).map { Match("match \($0)") }
    try await magic.update(contentsOf: stored)
    for match in stored { match.place += "!" }
    statements.clear()
    try await magic.update(contentsOf: stored.flatMap { [$0, Match("new")] })
    #expect(count(statements, "UPDATE", "COPY", "ROLLBACK TO") == [1, 1, 0])
    #expect(try await magic.query(Match.self).count() == 400)
    // A missing row is found in their order.
    try await magic.remove(try await magic.object(of: Match.self)[100])
    for match in stored { match.place += "?" }
    statements.clear()
    let thrown = await code {
      try await magic.update(contentsOf: stored.flatMap { [$0, Match("new")] })
    }
    #expect(thrown == .notFound)
    #expect(count(statements, "FROM unnest", "ROLLBACK TO") == [1, 1])
    #expect(try await magic.query(Match.self).count() == 399)
    await magic.close()
  }

  @Test func eachMissingRowIsInsertedWithFewStatements() async throws {
    let statements = Recorder<String>()
    let magic = try open(try TestSchema(), statements)
    let stored = (0..<400).map { Match("match \($0)") }
    try await magic.update(contentsOf: stored)
    try await magic.removeAll(of: Match.self)
    for match in stored { match.place += "!" }
    statements.clear()
    try await magic.update(contentsOf: stored, ifMissing: .insert)
    #expect(count(statements, "UPDATE")[0] < 5 * 400)
    #expect(try await magic.object(of: Match.self).map(\.place) == stored.map(\.place))
    await magic.close()
  }

  /// Rows after a missing one are sent in parts, each of which checks its versions.
  @Test func aSecondInstanceOfARowIsAConflictInALaterPart() async throws {
    let magic = try await TestSchema().openMagicData()
    let tickets = (0..<20).map { Ticket("ticket \($0)") }
    try await magic.update(contentsOf: tickets)
    let second = try await magic.object(of: Ticket.self, primary: tickets[3].number)
    try await magic.remove(try await magic.object(of: Ticket.self, primary: tickets[0].number))
    for ticket in tickets + [second] { ticket.title += "!" }
    let thrown = await code {
      try await magic.update(contentsOf: tickets + [second], ifMissing: .insert)
    }
    #expect(thrown == .conflict)
    #expect(try await magic.object(of: Ticket.self).map(\.title) == (1..<20).map { "ticket \($0)" })
    try await magic.update(contentsOf: tickets, ifMissing: .insert)
    #expect(try await magic.query(Ticket.self).count() == 20)
    #expect(try await magic.query(Ticket.self).where(\.$version == 2).count() == 19)
    await magic.close()
  }

  @Test func rowsThatATriggerInsertsAreNotRemoved() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: (0..<10).map { Match("match \($0)") })
    try schema.run(
      """
      CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "Match" SELECT max("z_index") + 1, 'kept' FROM others; RETURN NULL; END $$
      """)
    try schema.run(
      "CREATE TRIGGER keep AFTER DELETE ON \"Match\" "
        + "REFERENCING OLD TABLE AS others EXECUTE FUNCTION keep()")
    try schema.run("INSERT INTO \"Match\" VALUES (1000, 'last')")
    #expect(try await magic.removeAll(of: Match.self) == 11)
    #expect(try await magic.object(of: Match.self).map(\.place) == ["kept"])
    await magic.close()
  }

  @Test func objectsThatExistAreUpdatedTogether() async throws {
    let statements = Recorder<String>()
    let magic = try open(try TestSchema(), statements)
    let stored = (0..<100).map { City("city \($0)", population: -1) }
    try await magic.update(contentsOf: stored)
    statements.clear()
    let cities = cities(0..<300).shuffled()
    try await magic.update(contentsOf: cities)
    #expect(count(statements, "FROM unnest", "COPY", "ON CONFLICT") == [2, 2, 0])
    #expect(try await magic.object(of: City.self).map(\.population).sorted() == Array(0..<300))
    let rows = Dictionary(uniqueKeysWithValues: stored.map { ($0.name, $0.zIndex) })
    #expect(cities.allSatisfy { rows[$0.name] == nil || rows[$0.name] == $0.zIndex })
    #expect(Set(cities.map(\.zIndex)).count == 300)
    // Two objects with one primary are written one by one.
    statements.clear()
    try await magic.update(contentsOf: self.cities(0..<200) + [City("city 7", population: 7_000)])
    #expect(count(statements, "ON CONFLICT") == [201])
    #expect(try await magic.object(of: City.self, primary: "city 7").population == 7_000)
    // A unique value can only be exchanged by rows that are written one by one.
    let (first, second) = (City("city 0"), City("city 1"))
    (first.code, second.code) = ("A", "B")
    try await magic.update(contentsOf: [first, second])
    let others = self.cities(0..<200)
    (others[0].code, others[2].code) = ("C", "A")
    try await magic.update(contentsOf: others)
    let codes = try await magic.object(of: City.self).filter { $0.code != nil }
    #expect(codes.map { "\($0.name) \($0.code ?? "")" }.sorted() == ["city 0 C", "city 2 A"])
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func countersThatExistAreUpdatedTogether() async throws {
    let statements = Recorder<String>()
    let magic = try open(try TestSchema(), statements)
    try await magic.update(contentsOf: (1...100).map { Counter($0) })
    statements.clear()
    let counters = (50..<250).map { Counter($0) }
    for counter in counters { counter.level = -1 }
    try await magic.update(contentsOf: counters)
    #expect(count(statements, "ON CONFLICT") == [0])
    #expect(try await magic.query(Counter.self).where(\.$level == -1).count() == 200)
    let next = Counter()
    try await magic.update(next)
    #expect(next.number == 250)
    await magic.close()
  }
}
