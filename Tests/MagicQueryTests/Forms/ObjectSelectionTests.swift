import EngineConformance
import MagicData
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private struct Club: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var rival: Club?
  @MagicValue var trophies: [Trophy] = []

  init() {}
  init(_ name: String) { self.name = name }
}

private struct Trophy: MagicObject {
  @MagicValue var year: Int = 0

  init() {}
  init(_ year: Int) { self.year = year }
}

private struct Athlete: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var goals: Int = 0
  @MagicValue var club: Club
  @OptionMagicValue var former: Club?
  @OptionMagicValue var loaned: AsyncMagical<Club>?

  init() {}
  init(_ name: String, _ goals: Int, _ club: Club, former: Club? = nil, loaned: Club? = nil) {
    self.name = name
    self.goals = goals
    self.club = club
    self.former = former
    self.loaned = loaned.map { AsyncMagical(value: $0) }
  }
}

/// Objects as selected values and as keys of groups.
@Suite(.everyEngine) struct ObjectSelectionTests {
  private let test: TestStore
  private let athletes: MagicQuery<Athlete, MagicObjectStore>

  init() throws {
    test = try TestStore()
    let (red, blue) = (Club("Red"), Club("Blue"))
    red.trophies = [Trophy(1990), Trophy(2001)]
    red.rival = blue
    try test.store.update(contentsOf: [
      Athlete("Ada", 3, red, former: blue, loaned: blue), Athlete("Ben", 5, blue),
      Athlete("Cid", 1, red), Athlete("Dan", 2, red, former: blue, loaned: red),
    ])
    athletes = test.store.query(Athlete.self)
  }

  @Test func theKeyOfAGroupIsAnObject() throws {
    let groups = try athletes.grouped(by: \.$club).order(.descending) { $0.count }.count()
    #expect(groups.map(\.key.name) == ["Red", "Blue"])
    #expect(groups.map(\.count) == [3, 1])
    #expect(groups[0].key.trophies.map(\.year) == [1990, 2001])
    #expect(groups[0].key.rival?.name == "Blue")
    let goals = try athletes.grouped(by: \.$club).order(.descending) { $0.sum(\.$goals) }
      .select { ($0.count, $0.sum(\.$goals)) }.all()
    #expect(goals.map { "\($0.key.name) \($0.values)" } == ["Red (3, 6)", "Blue (1, 5)"])
  }

  @Test func nilIsAKey() throws {
    let groups = try athletes.grouped(by: \.$former).order(byKey: .ascending).count()
    #expect(groups.map(\.key?.name) == [nil, "Blue"])
    #expect(groups.map(\.count) == [2, 2])
  }

  @Test func severalKeysMayBeObjects() throws {
    let groups = try athletes.grouped(by: \.$club, \.$former)
      .order(.descending) { $0.count }.order(.descending) { $0.sum(\.$goals) }.count()
    #expect(
      groups.map { "\($0.key.0.name) \($0.key.1?.name ?? "-") \($0.count)" }
        == ["Red Blue 2", "Blue - 1", "Red - 1"])
  }

  @Test func toOnesAreSelected() throws {
    let sorted = athletes.order(by: \.$name)
    #expect(try sorted.select(\.$club).all().map(\.name) == ["Red", "Blue", "Red", "Red"])
    #expect(try sorted.select(\.$former).all().map(\.?.name) == ["Blue", nil, nil, "Blue"])
    let rivals = try sorted.select(\.$name, \.$club.$rival).all()
    #expect(
      rivals.map { "\($0.0) \($0.1?.name ?? "-")" } == [
        "Ada Blue", "Ben -", "Cid Blue", "Dan Blue",
      ])
    #expect(try sorted.select(\.$club).distinct().all().count == 2)
    #expect(try sorted.select(\.$club).first()?.name == "Red")
  }

  @Test func aRowIsOneInstanceInAResult() throws {
    let clubs = try athletes.order(by: \.$name).select(\.$club, \.$former).all()
    clubs[1].0.name = "Green"
    #expect(clubs[0].1?.name == "Green")
  }

  @Test func theRowItselfIsSelectedWithComputedValues() throws {
    let ranked = try athletes.order(by: \.$name)
      .select { ($0.object, $0.rank(over: .order(by: $0.$goals, .descending))) }.all()
    #expect(
      ranked.map { "\($0.0.name) \($0.1) \($0.0.club.name)" }
        == ["Ada 2 Red", "Ben 1 Blue", "Cid 4 Red", "Dan 3 Red"])
    let names = try athletes.order(by: \.$name).select { $0.object.$club.$name }.all()
    #expect(names == ["Red", "Blue", "Red", "Red"])
  }

  @Test func lazyToOnesAreLoaded() throws {
    let loaned = try athletes.order(by: \.$name).select(\.$loaned).all()
    #expect(loaned.map(\.?.name) == ["Blue", nil, nil, "Red"])
    let groups = try athletes.grouped(by: \.$loaned).order(byKey: .ascending).count()
    #expect(Set(groups.map { $0.key?.name }) == [nil, "Blue", "Red"])
  }

  @Test(.requires(.statements)) func theNumberOfStatementsIsConstant() throws {
    let log = Recorder<String>()
    let test = try TestStore(options: MagicOptions(trace: { log.note($0) }))
    try test.store.update(contentsOf: (0..<50).map { Athlete("x\($0)", $0, Club("c\($0)")) })
    let athletes = test.store.query(Athlete.self)
    var counts: [Int] = []
    // The first run checks the tables.
    for limit in [1, 2, 50] {
      log.clear()
      #expect(try athletes.limit(limit).select(\.$club).all().count == limit)
      counts.append(log.work.count)
    }
    #expect(counts[1] == counts[2])
    #expect(counts[1] < 6)
  }

  @Test func collectionsAreRefused() throws {
    let error = #expect(throws: MagicError.self) {
      try test.store.query(Club.self).select(\.$trophies).all()
    }
    #expect(error?.code == .invalidQuery)
    #expect(error?.description.contains("trophies") == true)
  }

  @Test func aTypeWithoutRowsHasNoGroups() throws {
    let empty = try TestStore()
    #expect(try empty.store.query(Athlete.self).grouped(by: \.$club).count().isEmpty)
    #expect(try empty.store.query(Athlete.self).select(\.$club).all().isEmpty)
  }

  @Test func aLiveSelectionDependsOnTheSelectedObjects() async throws {
    let magic = try await MagicData(type: .temporary)
    let red = Club("Red")
    try await magic.update(Athlete("Ada", 3, red))
    var names = magic.query(Athlete.self).select(\.$club).values().makeAsyncIterator()
    #expect(try await names.next()?.map(\.name) == ["Red"])
    red.trophies.append(Trophy(1999))
    try await magic.update(red)
    #expect(try await names.next()?.first?.trophies.count == 1)
    var pairs = magic.query(Athlete.self)
      .joined(with: Club.self) { $0.$club == $1 && $0.$goals > 1 }
      .select { ($0.$name, $1.object) }.values().makeAsyncIterator()
    #expect(try await pairs.next()?.count == 1)
    try await magic.update(Athlete("Eve", 5, red))
    #expect(try await pairs.next()?.count == 2)
  }
}
