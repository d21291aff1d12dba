import Foundation
import MagicData
import MagicTestSupport
import Testing

// This target has the default isolation `MainActor`, as new projects of Xcode have. The links to the
// examples of the documents show that these compile and run in such projects too.

enum Level: Int, Magical, CaseIterable, MagicalOrdered {
  case low, middle, high
}

enum Colour: String, MagicalCodable {
  case red, green
}

struct Measures: MagicalCodable, Equatable {
  enum Unit: String, Codable {
    case metre, foot
  }

  struct Side: Codable, Equatable {
    var length: Double
  }

  var unit: Unit
  var sides: [Side]

  var perimeter: Double { sides.reduce(0) { $0 + $1.length } }
}

struct Code: MagicalPrimaryValue {
  let text: String

  var storedValue: String { text }
  init(storedValue: String) { text = storedValue }
}

struct Station: MagicObject {
  @PrimaryMagicValue var code: Code
  @MagicValue(.indexed) var level: Level = .low
  @MagicValue var colour: Colour = .red
  @MagicValue var sensors: [Sensor] = []
  @OptionMagicValue var measures: Measures?
  @OptionMagicValue var warmth: Celsius?

  static var indexes: [MagicIndex<Station>] { [MagicIndex(\.$level, \.$colour)] }

  init() {}

  init(code: String) { self.code = Code(storedValue: code) }
}

extension Station {
  var title: String { "Station \(code.text)" }

  func promote() { level = .high }
}

final class Page: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var id: UUID
  @MagicValue var text: String = ""
  var visits = 0

  init() {}
}

/// A model of a view, which the default isolation puts on the main actor.
final class StationList {
  private let magic: MagicData
  private(set) var stations: [Station] = []

  init(_ magic: MagicData) {
    self.magic = magic
  }

  func load() async throws {
    stations = try await magic.query(Station.self).order(by: \.$level, .descending).all()
  }

  func follow() async throws {
    for try await latest in magic.query(Station.self).where(\.$level == .high).values() {
      stations = latest
      if !latest.isEmpty { break }
    }
  }
}

@Suite struct MainActorTests {
  @Test func declarationsAreIsolatedByDefault() {
    MainActor.assertIsolated()
    let lists: [any Sendable] = [StationList.self]
    #expect(lists.count == 1)
  }

  @Test func customValuesAreSavedAndFetched() async throws {
    let magic = try await MagicData(type: .temporary)
    let station = Station(code: "A")
    station.level = .middle
    station.colour = .green
    station.measures = Measures(unit: .foot, sides: [.init(length: 1), .init(length: 2.5)])
    station.warmth = Celsius(storedValue: 21.5)
    let sensor = Sensor()
    sensor.labels = [Label(text: "roof")]
    sensor.highest = Fahrenheit(degrees: 99)
    station.sensors = [sensor]
    try await magic.update(station)

    let code = station.code
    let fetched = try await magic.object(of: Station.self, primary: code)
    #expect(fetched.level == .middle)
    #expect(fetched.colour == .green)
    #expect(fetched.measures?.perimeter == 3.5)
    #expect(fetched.warmth?.degrees == 21.5)
    #expect(fetched.title == "Station A")
    #expect(fetched.sensors[0].labels == [Label(text: "roof")])
    #expect(fetched.sensors[0].highest?.degrees == 99)
  }

  @Test func aClassIsSavedAndFetched() async throws {
    let magic = try await MagicData(type: .temporary)
    let page = Page()
    page.text = "one"
    try await magic.update(page)
    #expect(try await magic.object(of: Page.self, primary: page.id).text == "one")
  }

  @Test func closuresReadObjectsAndConditions() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: ["B", "A"].map { Station(code: $0) })

    let first = try await magic.object(of: Station.self).where { $0.title == "Station A" }
    try await magic.transaction { transaction in
      let station = try transaction.object(of: Station.self, primary: first.code)
      station.promote()
      try transaction.update(station)
    }
    let high = try await magic.query(Station.self)
      .where { $0.$level > .low && $0.$colour == .red }
      .select { ($0.$code, $0.$level) }
      .all()
    #expect(high.map(\.0.text) == ["A"])
    #expect(high.map(\.1) == [.high])

    let changed = try await magic.query(Station.self).where(\.$level == .low)
      .update(set: \.$colour, to: .green)
    #expect(changed == 1)
  }

  @Test func aModelOfAViewLoadsAndFollows() async throws {
    let magic = try await MagicData(type: .temporary)
    let list = StationList(magic)
    try await magic.update(contentsOf: ["B", "A"].map { Station(code: $0) })
    try await list.load()
    #expect(list.stations.count == 2)

    list.stations[0].promote()
    try await magic.update(list.stations[0])
    try await list.follow()
    #expect(list.stations.map(\.level) == [.high])
  }

  @Test func rowsAreMigratedByClosures() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("wares.sqlite3").path
    let before = try await MagicData(path: path)
    let ware = Formerly.Ware()
    ware.title = "Cup"
    ware.price = 1.25
    try await before.update(ware)
    let fellow = Formerly.Fellow()
    fellow.firstName = "Ada"
    try await before.update(fellow)
    await before.close()

    let after = try await MagicData(path: path)
    let wares = try await after.object(of: Ware.self)
    #expect(wares.map(\.name) == ["Cup"])
    #expect(wares.map(\.price) == [125])
    #expect(try await after.object(of: Fellow.self).map(\.name) == ["Ada"])
    await after.close()
  }
}
