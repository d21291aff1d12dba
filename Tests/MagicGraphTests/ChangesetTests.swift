import MagicEngine
import MagicGraph
import MagicRelations
import MagicStore
import SQLiteStore
import Testing

/// The changesets of a save. This engine has no SQL; it must store the same rows as SQLite.
@Suite struct ChangesetTests {
  private let store = MemoryStore()

  @Test func aNewObjectIsOneRowWithAllItsValues() throws {
    let station = Station("Kings Cross", height: 24.5)
    try store.save(station)
    #expect(store.lines == ["upsert Station 1 (name: 'Kings Cross', height: 24.5, line: NULL)"])
    #expect(station.zIndex?.rawValue == 1)
  }

  @Test func anObjectWithoutAPrimaryIsInserted() throws {
    try store.save(Stop(1), Stop(2))
    #expect(
      store.lines == [
        "insert Stop 1 (minute: 1, station: NULL)", "insert Stop 2 (minute: 2, station: NULL)",
      ])
  }

  @Test func onlyChangedColumnsAreWritten() throws {
    let station = Station("Euston", height: 1)
    try store.save(station)
    store.lines = []
    try store.save(station)
    #expect(store.lines.isEmpty)
    station.height = 2
    try store.save(station)
    #expect(store.lines == ["update Station 1 (height: 2.0)"])
  }

  @Test func referencedRowsAreBeforeTheRow() throws {
    let stop = Stop(7)
    stop.station = Station("Angel", height: 3)
    try store.save(stop)
    #expect(
      store.lines == [
        "upsert Station 1 (name: 'Angel', height: 3.0, line: NULL)",
        "insert Stop 1 (minute: 7, station: 1)",
      ])
  }

  @Test func membersAndTheirJoinRowsAreAfterTheirOwner() throws {
    let line = Line("Northern")
    line.stops = [Stop(1), Stop(2)]
    try store.save(line)
    #expect(
      store.lines == [
        "upsert Line 1 (name: 'Northern', terminus: NULL)",
        "insert Stop 1 (minute: 1, station: NULL)", "insert Stop 2 (minute: 2, station: NULL)",
        "Line.stops of 1: +1 +2",
      ])
    #expect(try store.members(of: line) == line.stops.compactMap(\.zIndex?.rawValue))
  }

  @Test func onlyTheDifferenceOfACollectionIsWritten() throws {
    let line = Line("Victoria")
    line.stops = [Stop(1), Stop(2), Stop(3)]
    try store.save(line)
    store.lines = []
    let (first, third) = (line.stops[0].zIndex?.rawValue ?? 0, line.stops[2].zIndex?.rawValue ?? 0)
    line.stops.removeFirst()
    line.stops.append(Stop(4))
    try store.save(line)
    let added = try #require(line.stops.last?.zIndex?.rawValue)
    #expect(
      store.lines == [
        "require Line 1", "insert Stop \(added) (minute: 4, station: NULL)",
        "Line.stops of 1: -\(first) +\(added)",
      ])
    #expect(try store.members(of: line).dropLast().last == third)
  }

  @Test func aCycleNeedsNoSecondPass() throws {
    let line = Line("Circle")
    let station = Station("Aldgate", height: 4)
    line.terminus = station
    station.line = line
    try store.save(line)
    #expect(
      store.lines == [
        "upsert Station 1 (name: 'Aldgate', height: 4.0, line: 1)",
        "upsert Line 1 (name: 'Circle', terminus: 1)",
      ])
  }

  @Test func aCycleThroughAnExistingPrimaryRefersToItsRow() throws {
    try store.save(Line("District"), Line("Circle"))
    store.lines = []
    let line = Line("Circle")
    let station = Station("Aldgate", height: 4)
    line.terminus = station
    station.line = line
    try store.save(line)
    #expect(line.zIndex?.rawValue == 2)
    #expect(
      store.lines == [
        "upsert Station 1 (name: 'Aldgate', height: 4.0, line: 2)",
        "update Line 2 (terminus: 1)",
      ])
  }

  @Test func manyObjectsWithExistingPrimariesUpdateTheirRows() throws {
    let count = 3 * 64 + 1
    let stored = (0..<count).map { Station("\($0)", height: 0) }
    try store.transaction { _ = try $0.save(stored, ObjectSchema.of(Station.self)) }
    let news = (0..<count).reversed().map { Station("\($0)", height: 1) }
    let rows = try store.transaction { try $0.save(news, ObjectSchema.of(Station.self)) }
    #expect(rows == stored.reversed().map(\.zIndex))
    #expect(news.map(\.zIndex) == rows)
    #expect(try store.rows(of: Station.self).count == count)
  }

  @Test func aMemberWhoseRowWasDeletedLeavesTheCollection() throws {
    let line = Line("Jubilee")
    line.stops = [Stop(1), Stop(2), Stop(3)]
    try store.save(line)
    let gone = line.stops[1]
    try store.drop(gone.zIndex, of: Stop.self)
    gone.minute = 9
    try store.save(line)
    #expect(line.stops.map(\.minute) == [1, 3])
    #expect(try store.members(of: line).count == 2)
    #expect(gone.zIndex == nil)
  }

  @Test(arguments: [false, true]) func nothingRetainsAnEndedTransaction(fails: Bool) throws {
    let line = Line("Jubilee")
    line.stops = [Stop(1), Stop(2)]
    try store.save(line)
    try store.drop(line.stops[1].zIndex, of: Stop.self)
    line.stops[1].minute = 9
    do {
      try store.transaction {
        _ = try $0.save(line, ObjectSchema.of(Line.self))
        if fails { throw CancellationError() }
      }
    } catch is CancellationError {}
    #expect(store.lastTransaction == nil)
    #expect(line.stops.count == (fails ? 2 : 1))
  }

  @Test func aReferenceToADeletedRowIsSetToNil() throws {
    let stop = Stop(5)
    let station = Station("Bank", height: 5)
    try store.save(station)
    try store.drop(station.zIndex, of: Station.self)
    stop.station = station
    try store.save(stop)
    #expect(stop.station == nil)
    #expect(try store.rows(of: Stop.self).values.map { $0[1] } == [.null])
  }

  @Test func aFailedSaveIsWrittenAgainCompletely() throws {
    let line = Line("Central")
    line.stops = [Stop(1), Stop(2)]
    line.terminus = Station("Epping", height: 6)
    try store.save(line)
    line.name = "Elizabeth"
    line.terminus?.height = 7
    line.stops.append(Stop(3))
    store.lines = []
    #expect(throws: CancellationError.self) {
      try store.transaction {
        _ = try $0.save(line, ObjectSchema.of(Line.self))
        throw CancellationError()
      }
    }
    let first = store.lines
    #expect(line.stops[2].zIndex == nil)
    store.lines = []
    try store.save(line)
    #expect(store.lines == first)
    #expect(line.stops[2].zIndex != nil)
  }

  @Test func aRemovedObjectIsOneDeletedRow() throws {
    let station = Station("Temple", height: 8)
    try store.save(station)
    store.lines = []
    try store.remove(station)
    #expect(store.lines == ["delete Station 1"])
    #expect(station.zIndex == nil)
  }

  @Test func largeValuesAreCapturedCompletely() throws {
    let name = String(repeating: "ä", count: 100_000)
    try store.save(Station(name, height: 0))
    #expect(try store.rows(of: Station.self)[1]?.first == .text(name))
  }

  /// The same objects, saved by both engines, are the same rows.
  @Test func anotherEngineStoresTheSameRowsAsSQLite() throws {
    let database = try MagicObjectStore.open(.temporary)
    func line() -> Line {
      let line = Line("Bakerloo")
      line.stops = (0..<200).map { number in
        let stop = Stop(number)
        stop.station = Station("station \(number % 7)", height: Double(number))
        return stop
      }
      line.terminus = line.stops[3].station
      line.terminus?.line = line
      return line
    }
    let (here, there) = (line(), line())
    try store.save(here)
    try database.update(there)
    let fetched = try database.object(of: Line.self)[0]
    #expect(fetched.stops.map { $0.zIndex } == here.stops.map { $0.zIndex })
    #expect(fetched.terminus?.zIndex == here.terminus?.zIndex)
    let stations = try database.object(of: Station.self)
    let rows = try store.rows(of: Station.self)
    #expect(stations.count == rows.count)
    for station in stations {
      let row = try #require(station.zIndex.flatMap { rows[$0.rawValue] })
      #expect(row[0] == .text(station.name))
      #expect(row[1] == .real(station.height))
      #expect(row[2] == station.line?.zIndex.map { .integer($0.rawValue) } ?? .null)
    }
    let stops = try store.rows(of: Stop.self)
    for stop in try database.object(of: Stop.self) {
      let row = try #require(stop.zIndex.flatMap { stops[$0.rawValue] })
      #expect(row[0] == .integer(Int64(stop.minute)))
      #expect(row[1] == stop.station?.zIndex.map { .integer($0.rawValue) } ?? .null)
    }
  }
}

// MARK: Models

private struct Station: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var height: Double = 0
  @OptionMagicValue var line: Line?

  init() {}
  init(_ name: String, height: Double) {
    self.name = name
    self.height = height
  }
}

private struct Stop: MagicObject {
  @MagicValue var minute: Int = 0
  @OptionMagicValue var station: Station?

  init() {}
  init(_ minute: Int) { self.minute = minute }
}

private struct Line: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var terminus: Station?
  @MagicValue var stops: [Stop] = []

  init() {}
  init(_ name: String) { self.name = name }
}
