import EngineConformance
import MagicData
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private struct Sighting: MagicObject {
  @MagicValue(.indexed) var bird: String = ""
  @OptionMagicValue var place: String?
  @MagicValue var count: Int = 0
  @MagicValue var observer: Observer

  init() {}
  init(_ bird: String, _ place: String?, _ count: Int, _ observer: Observer) {
    (self.bird, self.place, self.count, self.observer) = (bird, place, count, observer)
  }
}

private struct Observer: MagicObject {
  @MagicValue var name: String = ""

  init() {}
  init(_ name: String) { self.name = name }
}

/// Pages of selected values and of groups.
@Suite(.everyEngine) struct RowPageTests {
  private typealias Sightings = MagicQuery<Sighting, MagicObjectStore>
  private let test: TestStore
  private let sightings: Sightings

  init() throws {
    test = try TestStore()
    var random = SeededRandom(3)
    let observers = ["Ada", "Ben"].map { Observer($0) }
    try test.store.update(
      contentsOf: (0..<60).map { _ in
        Sighting(
          ["kite", "owl", "tit", "wren", "jay"].randomElement(using: &random) ?? "",
          [nil, "sea", "wood"].randomElement(using: &random) ?? nil,
          Int.random(in: 0...4, using: &random),
          observers.randomElement(using: &random) ?? Observer())
      })
    sightings = test.store.query(Sighting.self)
  }

  /// Checks that pages in both directions have the rows of the whole selection.
  private func expectPages<Row>(
    _ selection: MagicSelection<Sighting, Row, MagicObjectStore>, of limit: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let all = try selection.all().map { "\($0)" }
    var forward: [String] = []
    var cursor: MagicCursor?
    repeat {
      let page = try selection.page(after: cursor, limit: limit)
      #expect(page.rows.count <= limit, sourceLocation: sourceLocation)
      forward += page.rows.map { "\($0)" }
      cursor = try page.next.map { try #require(MagicCursor($0.description)) }
    } while cursor != nil && forward.count <= all.count
    #expect(forward.sorted() == all.sorted(), sourceLocation: sourceLocation)
    var backward: [String] = []
    repeat {
      let page = try selection.page(before: cursor, limit: limit)
      backward = page.rows.map { "\($0)" } + backward
      cursor = page.previous
    } while cursor != nil && backward.count <= all.count
    #expect(backward == forward, sourceLocation: sourceLocation)
  }

  @Test(arguments: [1, 2, 7, 100]) func pagesHaveTheRowsOfTheSelection(limit: Int) throws {
    try expectPages(sightings.select(\.$bird, \.$count), of: limit)
    try expectPages(
      sightings.order(by: \.$place, .descending).order(by: \.$count).select(\.$bird, \.$place),
      of: limit)
    try expectPages(sightings.order(by: \.$place).select(\.$place), of: limit)
    try expectPages(sightings.select { $0.$count * 2 }.order(by: \.$bird), of: limit)
  }

  @Test(arguments: [1, 2, 7, 100]) func pagesHaveTheGroupsOfTheSelection(limit: Int) throws {
    try expectPages(sightings.grouped(by: \.$bird).select { $0.count }, of: limit)
    try expectPages(
      sightings.grouped(by: \.$place, \.$bird).order(.descending) { $0.sum(\.$count) }
        .select { ($0.count, $0.average(\.$count)) }, of: limit)
    try expectPages(
      sightings.grouped { ($0.$bird.prefix(1), $0.$place) }.having { $0.count > 2 }
        .order(byKey: .descending).select { $0.max(\.$count) }, of: limit)
    try expectPages(
      sightings.where(\.$count > 0).grouped { $0.$count * 3 }
        .order { $0.count }.select { $0.count }, of: limit)
  }

  @Test(arguments: [1, 3]) func pagesHaveDistinctRows(limit: Int) throws {
    try expectPages(sightings.select(\.$bird, \.$place).distinct(), of: limit)
    try expectPages(sightings.order(by: \.$place).select(\.$place).distinct(), of: limit)
    let other = sightings.order(by: \.$count).select(\.$bird).distinct()
    let error = #expect(throws: MagicError.self) { try other.page(limit: 2) }
    #expect(error?.code == .invalidQuery)
  }

  @Test func orderedRowsAreInTheOrderOfTheSelection() throws {
    let groups = sightings.grouped(by: \.$bird).order(.descending) { $0.count }
      .order(byKey: .ascending).select { $0.count }
    var rows: [String] = []
    var page = try groups.page(limit: 2)
    rows += page.rows.map { $0.key }
    while let next = page.next {
      page = try groups.page(after: next, limit: 2)
      rows += page.rows.map { $0.key }
    }
    #expect(try rows == groups.all().map { $0.key })
  }

  @Test(.requires(.combinations)) func objectsAndPairsHavePages() throws {
    let observers = sightings.grouped(by: \.$observer).select { $0.count }
    let first = try observers.page(limit: 1)
    let second = try observers.page(after: first.next, limit: 1)
    #expect(Set([first.rows[0].key.name, second.rows[0].key.name]) == ["Ada", "Ben"])
    #expect(second.next == nil)
    try expectPages(
      sightings.limit(6).joined(with: Observer.self) { $0.$observer != $1 || $0.$count > 1 }
        .order { sighting, _ in sighting.$bird }.select { ($0.$bird, $1.$name) }, of: 3)
  }

  @Test func mistakesAreRefused() throws {
    let groups = sightings.grouped(by: \.$bird).select { $0.count }
    let cursor = try #require(try groups.page(limit: 1).next)
    func expectRefusal<Row>(
      _ selection: MagicSelection<Sighting, Row, MagicObjectStore>, _ limit: Int = 1,
      after cursor: MagicCursor? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let error = #expect(throws: MagicError.self, sourceLocation: sourceLocation) {
        try selection.page(after: cursor, limit: limit)
      }
      #expect(error?.code == .invalidQuery, sourceLocation: sourceLocation)
    }
    expectRefusal(groups, 0)
    expectRefusal(groups.limit(3))
    expectRefusal(sightings.limit(3).select(\.$bird))
    expectRefusal(sightings.order(.random).select(\.$bird))
    expectRefusal(sightings.select(\.$bird), after: cursor)
    expectRefusal(sightings.grouped(by: \.$place).select { $0.count }, after: cursor)
  }

  @Test func emptyTablesHaveOneEmptyPage() throws {
    let empty = try TestStore()
    let page = try empty.store.query(Sighting.self).grouped(by: \.$bird).select { $0.count }
      .page(limit: 3)
    #expect(page.rows.isEmpty && page.next == nil && page.previous == nil)
  }

  @Test(.requires(.statements)) func aPageOfObjectsIsExplained() throws {
    let ordered = sightings.order(by: \.$bird)
    let plan = try ordered.explainPage(limit: 5)
    #expect(plan.fullScans.isEmpty)
    let next = try #require(try ordered.page(limit: 5).next)
    #expect(try ordered.explainPage(after: next, limit: 5).isIndexed)
  }
}
