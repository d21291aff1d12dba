import CopySupport
import Foundation
import MagicData
import MagicDataPostgres
import MagicStore
import PostgreSQLTestSupport
import Testing

/// A way of observation.
enum Observed: String, CaseIterable, CustomTestStringConvertible {
  case log, outbox

  var testDescription: String { rawValue }

  var observation: PostgresObservation {
    self == .log ? .logical : .outbox(every: 0.2)
  }
}

/// Observers receive each commit with its rows and columns, before the write of this process returns.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(5))) struct ObservationTests {
  @Test(arguments: Observed.allCases)
  func eachCommitIsOneElementWithItsRows(_ observed: Observed) async throws {
    let magic = try await TestSchema().openMagicData(observed)
    try await magic.update(City("Oslo"))
    let stream = magic.changes(of: City.self)
    var changes = stream.makeAsyncIterator()
    try await magic.update(Match("home"))
    let rome = City("Rome")
    let zIndex = try await magic.update(rome)
    rome.population = 7
    try await magic.update(rome)
    try await magic.remove(rome)
    await magic.close()
    let inserted = try #require(await changes.next())
    #expect(inserted.inserted == [zIndex] && inserted.isComplete)
    #expect(inserted.hasPrimaryChanged("Rome") && !inserted.hasPrimaryChanged("Oslo"))
    #expect(inserted.origin == .process)
    let updated = try #require(await changes.next())
    #expect(updated.updated[zIndex]?.names == ["population"] && updated.inserted.isEmpty)
    let deleted = try #require(await changes.next())
    #expect(deleted.deleted == [zIndex] && deleted.hasPrimaryChanged("Rome"))
    #expect(await changes.next() == nil)
  }

  @Test(arguments: Observed.allCases)
  func aDatabaseIsWrittenWhileAnotherOneOfTheProcessIsObserved(_ observed: Observed) async throws {
    let magic = try await TestSchema().openMagicData(observed)
    let other = try await TestSchema().openMagicData(observed)
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    let zIndex = try await magic.update(Match("home"))
    #expect(try #require(await changes.next()).inserted == [zIndex])
    // The other one has no observers yet, and so no table of changes.
    try await other.update(Match("away"))
    try await other.sql("CREATE INDEX places ON \"Match\" (place)").run()
    var others = other.changes(of: Match.self).makeAsyncIterator()
    let last = try await other.update(Match("late"))
    #expect(try #require(await others.next()).inserted == [last])
    await magic.close()
    await other.close()
    #expect(await changes.next() == nil)
  }

  @Test(arguments: Observed.allCases)
  func aValueOfEachTypeIsComparedExactly(_ observed: Observed) async throws {
    let magic = try await TestSchema().openMagicData(observed)
    let sample = Sample()
    // A large value is stored outside of its row, and other changes of the row do not contain it.
    sample.data = Data((0..<100_000).map { _ in UInt8.random(in: 0...255) })
    let zIndex = try await magic.update(sample)
    let stream = magic.changes(of: Sample.self)
    sample.text = "a\0b"
    sample.real = -0.0
    sample.flag = true
    try await magic.update(sample)
    sample.uuid = UUID()
    sample.bytes = [0]
    sample.note = ""
    try await magic.update(sample)
    await magic.close()
    var found: [[String]?] = []
    for await element in stream { found.append(element.updated[zIndex]?.names) }
    #expect(found == [["text", "flag", "real"], ["uuid", "bytes", "note"]])
  }

  @Test(arguments: Observed.allCases)
  func anotherProcessIsObservedExactlyAndInOrder(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    for number in 0..<5 {
      try schema.run(
        "INSERT INTO \"Match\" VALUES (\(1_000_000 + number), 'p'), (\(2_000_000 + number), 'q')")
    }
    try schema.run("BEGIN; UPDATE \"Match\" SET place = 'x' WHERE z_index = 1000000; ROLLBACK")
    try schema.run("UPDATE \"Match\" SET place = 'x' WHERE z_index < 1000002 AND place = 'p'")
    for number in 0..<5 {
      let element = try #require(await changes.next())
      let expected = [1_000_000 + number, 2_000_000 + number].map { Int64($0) }
      #expect(element.inserted.map(\.rawValue).sorted() == expected)
      #expect(element.origin == .external && element.isComplete)
    }
    let update = try #require(await changes.next())
    #expect(update.updated.keys.map(\.rawValue).sorted() == [1_000_000, 1_000_001])
    #expect(update.updated.values.allSatisfy { $0.names == ["place"] })
    await magic.close()
    #expect(await changes.next() == nil)
  }

  @Test(arguments: Observed.allCases)
  func twoDatabasesOfAProcessObserveEachOther(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let (first, second) = (
      try await schema.openMagicData(observed), try await schema.openMagicData(observed)
    )
    // Neither table exists yet.
    var cities = second.changes(of: City.self).makeAsyncIterator()
    let oslo = City("Oslo")
    let zIndex = try await first.update(oslo)
    let inserted = try #require(await cities.next())
    #expect(inserted.inserted == [zIndex] && inserted.origin == .process && inserted.isComplete)
    let teams = first.changes(of: Team.self)
    let team = Team("home", [Player("Ada")])
    let teamIndex = try await second.update(team)
    team.members.append(Player("Bob"))
    try await second.update(team)
    var iterator = teams.makeAsyncIterator()
    #expect(try #require(await iterator.next()).inserted == [teamIndex])
    let updated = try #require(await iterator.next())
    #expect(updated.updated[teamIndex]?.names == ["members"])
    await first.close()
    await second.close()
  }

  @Test(arguments: Observed.allCases)
  func liveValuesSeeWhatOtherProcessesCommit(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    let counts = magic.values { snapshot in try snapshot.object(of: Match.self).count }
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    for number in 1...20 {
      try schema.run("INSERT INTO \"Match\" VALUES (\(1_000_000 + number), 'p')")
      var count = 0
      while count < number + 1 { count = try await iterator.next() ?? .max }
      #expect(count == number + 1)
    }
    await magic.close()
  }

  @Test(arguments: Observed.allCases)
  func aTruncatedTableHasUnknownChanges(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    try schema.run("TRUNCATE \"Match\" CASCADE")
    let element = try #require(await changes.next())
    #expect(!element.isComplete && element.origin == .external)
    await magic.close()
  }

  @Test(arguments: Observed.allCases)
  func afterAChangeOfColumnsElementsAreIncompleteOnce(_ observed: Observed) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(observed)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    try schema.run("INSERT INTO \"Match\" VALUES (1000000, 'p')")
    #expect(try #require(await changes.next()).isComplete)
    try schema.run("ALTER TABLE \"Match\" ADD extra bigint")
    try schema.run("INSERT INTO \"Match\" VALUES (1000001, 'p', 1)")
    #expect(try #require(await changes.next()).isComplete == false)
    try schema.run("INSERT INTO \"Match\" VALUES (1000002, 'p', 1)")
    let last = try #require(await changes.next())
    #expect(last.isComplete && last.inserted.map(\.rawValue) == [1_000_002])
    await magic.close()
  }

  /// Writes that share a transaction say where each of them ends.
  @Test func eachWriteOfASharedTransactionIsAnElement() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData(.log)
    try await magic.update(Match("first"))
    var changes = magic.changes(of: Match.self).makeAsyncIterator()
    let notes = (1...2).map { "SELECT pg_logical_emit_message(true, 'magic', E'other\\n\($0)')" }
    try schema.run(
      "BEGIN; INSERT INTO \"Match\" VALUES (1000000, 'p'); \(notes[0]); "
        + "UPDATE \"Match\" SET place = 'q' WHERE z_index = 1000000; \(notes[1]); COMMIT")
    let inserted = try #require(await changes.next())
    #expect(inserted.inserted.map(\.rawValue) == [1_000_000] && inserted.updated.isEmpty)
    let updated = try #require(await changes.next())
    #expect(updated.inserted.isEmpty && updated.updated.count == 1)
    await magic.close()
    #expect(await changes.next() == nil)
  }

  @Test(arguments: Observed.allCases)
  func aSlowConsumerGetsOneMergedElement(_ observed: Observed) async throws {
    let magic = try await TestSchema().openMagicData(observed)
    let stream = magic.changes(of: Match.self, bufferingAtMost: 2)
    var expected: Set<ZIndex> = []
    for number in 0..<50 { expected.insert(try await magic.update(Match("\(number)"))) }
    await magic.close()
    var found: Set<ZIndex> = []
    var elements = 0
    for await element in stream {
      #expect(found.isDisjoint(with: element.inserted) && element.isComplete)
      found.formUnion(element.inserted)
      elements += 1
    }
    #expect(found == expected && elements <= 2)
  }

  @Test(arguments: Observed.allCases)
  func rolledBackWritesAreNotObserved(_ observed: Observed) async throws {
    let magic = try await TestSchema().openMagicData(observed)
    try await magic.update(Match("first"))
    let stream = magic.changes(of: Match.self)
    await #expect(throws: CancellationError.self) {
      try await magic.transaction { transaction in
        try transaction.update(Match("second"))
        throw CancellationError()
      }
    }
    await magic.close()
    for await element in stream { Issue.record("\(element)") }
  }
}
