import EngineConformance
import MagicData
import MagicQuery
import Testing

/// A worker in a hierarchy that is stored as a to-one relationship.
struct Worker: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var pay: Int = 0
  @OptionMagicValue var manager: Worker?
  @ReverseMagicValue(\Worker.$manager) var reports: AsyncReverseMagicSet<Worker>

  init() {}

  init(_ name: String, pay: Int = 0, under manager: Worker? = nil) {
    self.name = name
    self.pay = pay
    self.manager = manager
  }
}

/// A node of a graph with collections of each form.
struct Place: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var next: [Place] = []
  @MagicValue var near: MagicalSet<Place> = []
  @MagicValue var doors: [String: Place] = [:]
  @MagicValue var far: AsyncMagical<[Place]> = .init(value: [])
  @ReverseMagicValue(\Place.$next) var previous: AsyncReverseMagicSet<Place>

  init() {}

  init(_ name: String) { self.name = name }
}

/// Objects below and above others.
@Suite(.everyEngine) struct HierarchyTests {
  private let test: TestStore
  private let boss: Worker
  private let workers: MagicQuery<Worker, MagicObjectStore>

  /// Boss: Ann (Cid (Eve), Dan), Bob. Alone: Zoe.
  init() throws {
    test = try TestStore()
    boss = Worker("Boss", pay: 9)
    let ann = Worker("Ann", pay: 7, under: boss)
    let cid = Worker("Cid", pay: 5, under: ann)
    try test.store.update(contentsOf: [
      boss, ann, Worker("Bob", pay: 6, under: boss), cid, Worker("Dan", pay: 5, under: ann),
      Worker("Eve", pay: 1, under: cid), Worker("Zoe", pay: 8),
    ])
    workers = test.store.query(Worker.self)
  }

  private func names<Source: MagicDatabaseReader>(
    _ query: MagicQuery<Worker, Source>
  ) throws -> [String] {
    try query.order(by: \.$name).select(\.$name).all()
  }

  private func worker(_ name: String) throws -> Worker {
    try test.store.object(of: Worker.self, primary: name)
  }

  @Test func descendantsAreFoundByTheParentAndByTheChildren() throws {
    let all = ["Ann", "Bob", "Cid", "Dan", "Eve"]
    #expect(try names(workers.descendants(of: boss, by: \.$manager)) == all)
    #expect(try names(workers.descendants(of: boss, by: \.$reports)) == all)
    #expect(try names(workers.descendants(of: worker("Cid"), by: \.$reports)) == ["Eve"])
    #expect(try names(workers.descendants(of: worker("Zoe"), by: \.$manager)) == [])
  }

  @Test func ancestorsAreFoundByTheParentAndByTheChildren() throws {
    let eve = try worker("Eve")
    #expect(try names(workers.ancestors(of: eve, by: \.$manager)) == ["Ann", "Boss", "Cid"])
    #expect(try names(workers.ancestors(of: eve, by: \.$reports)) == ["Ann", "Boss", "Cid"])
    #expect(try names(workers.ancestors(of: boss, by: \.$manager)) == [])
  }

  @Test func theDepthIsSelectedComparedSummedAndOrdersObjects() throws {
    let team = workers.descendants(of: boss, by: \.$reports)
    let depths = try team.order(.descending) { $0.depth }.order(by: \.$name)
      .select { ($0.$name, $0.depth) }.all()
    #expect(depths.map(\.0) == ["Eve", "Cid", "Dan", "Ann", "Bob"])
    #expect(depths.map(\.1) == [3, 2, 2, 1, 1])
    #expect(try names(team.where { $0.depth == 2 && $0.$pay == 5 }) == ["Cid", "Dan"])
    #expect(try team.sum { $0.$pay * $0.depth } == 7 + 6 + 10 + 10 + 3)
    #expect(try team.max { $0.depth } == 3)
    let levels = try team.grouped { $0.depth }.order(byKey: .ascending).count()
    #expect(levels.map(\.key) == [1, 2, 3])
    #expect(levels.map(\.count) == [2, 2, 1])
  }

  @Test func theDepthIsLimited() throws {
    #expect(
      try names(workers.descendants(of: boss, by: \.$reports, maximumDepth: 1)) == ["Ann", "Bob"])
    #expect(
      try names(workers.descendants(of: boss, by: \.$manager, maximumDepth: 2)) == [
        "Ann", "Bob", "Cid", "Dan",
      ])
    #expect(try workers.descendants(of: boss, by: \.$reports, maximumDepth: 0).count() == 0)
    #expect(
      try names(
        workers.ancestors(of: worker("Eve"), by: \.$manager, maximumDepth: 2, includingStart: true))
        == ["Ann", "Cid", "Eve"])
  }

  @Test func theStartIsFoundIfTheQueryIncludesIt() throws {
    let team = workers.descendants(of: boss, by: \.$reports, includingStart: true)
    #expect(try team.count() == 6)
    #expect(try team.where { $0.depth == 0 }.all().map(\.name) == ["Boss"])
  }

  @Test func severalObjectsAreAStart() throws {
    let start = [try worker("Ann"), try worker("Zoe"), try worker("Cid")]
    #expect(try names(workers.descendants(of: start, by: \.$reports)) == ["Dan", "Eve"])
    let all = workers.descendants(of: start, by: \.$reports, includingStart: true)
    #expect(try names(all) == ["Ann", "Cid", "Dan", "Eve", "Zoe"])
    #expect(try all.where { $0.depth == 0 }.count() == 3)
    #expect(try workers.descendants(of: [], by: \.$reports).count() == 0)
    #expect(
      try names(workers.ancestors(of: start, by: \.$manager)) == ["Boss"])
  }

  @Test func aConditionChoosesTheStart() throws {
    #expect(
      try names(
        workers.where(\.$pay < 6).descendants(by: \.$reports) { $0.$pay >= 7 && $0.$name != "Zoe" })
        == ["Cid", "Dan", "Eve"])
    #expect(
      try names(
        workers.ancestors(by: \.$manager) { $0.$reports.isEmpty && $0.$manager.$name == "Ann" })
        == ["Ann", "Boss"])
    let busy = workers.descendants(by: \.$reports, maximumDepth: 1, includingStart: true) {
      $0.$reports.contains { $0.$name == "Eve" }
    }
    #expect(try names(busy) == ["Cid", "Eve"])
  }

  @Test func everyFormOfCollectionIsFollowed() throws {
    let places = (0..<6).map { Place("\($0)") }
    places[0].next = [places[1], places[2], places[1]]
    places[1].near = [places[3], places[4]]
    places[1].next = [places[3]]
    places[3].doors = ["a": places[5], "b": places[5], "c": places[0]]
    places[3].next = [places[4]]
    places[0].far = .init(value: [places[5]])
    try test.store.update(contentsOf: places)
    let query = test.store.query(Place.self).order(by: \.$name)
    func names(_ query: MagicQuery<Place, MagicObjectStore>) throws -> [String] {
      try query.select(\.$name).all()
    }
    let (first, last) = (places[0], places[4])
    #expect(try names(query.descendants(of: first, by: \.$next)) == ["1", "2", "3", "4"])
    #expect(try names(query.descendants(of: places[1], by: \.$near)) == ["3", "4"])
    #expect(try names(query.descendants(of: places[3], by: \.$doors)) == ["0", "5"])
    #expect(try names(query.descendants(of: first, by: \.$far)) == ["5"])
    #expect(try names(query.ancestors(of: last, by: \.$next)) == ["0", "1", "3"])
    #expect(try names(query.ancestors(of: places[5], by: \.$doors)) == ["3"])
    #expect(try names(query.ancestors(of: places[5], by: \.$far)) == ["0"])
    #expect(try names(query.where { $0.$far.contains { $0.$name == "5" } }) == ["0"])
    #expect(try names(query.where { $0.$far.count == 0 && $0.$next.isEmpty }) == ["2", "4", "5"])
    // An inverse relationship names children, like every collection.
    #expect(try names(query.descendants(of: last, by: \.$previous)) == ["0", "1", "3"])
    #expect(try names(query.ancestors(of: first, by: \.$previous)) == ["1", "2", "3", "4"])
  }

  @Test func cyclesEndAndTheShortestWayCounts() throws {
    let ring = (0..<5).map { Place("\($0)") }
    for (index, place) in ring.enumerated() { place.next = [ring[(index + 1) % 5]] }
    ring[0].next.append(ring[3])
    ring[2].next.append(ring[2])
    try test.store.update(contentsOf: ring)
    let found = try test.store.query(Place.self).descendants(of: ring[0], by: \.$next)
      .order(by: \.$name).select { ($0.$name, $0.depth) }.all()
    #expect(found.map(\.0) == ["1", "2", "3", "4"])
    #expect(found.map(\.1) == [1, 2, 1, 2])
    let up = try test.store.query(Place.self)
      .ancestors(of: ring[0], by: \.$next, includingStart: true)
      .order(by: \.$name).select { ($0.$name, $0.depth) }.all()
    #expect(up.map(\.0) == ["0", "1", "2", "3", "4"])
    #expect(up.map(\.1) == [0, 4, 3, 2, 1])
  }

  @Test func aRingOfParentsEndsAndAStartBelowAnotherHasDepthZero() throws {
    let ring = (0..<3).map { Worker("r\($0)") }
    for (index, worker) in ring.enumerated() { worker.manager = ring[(index + 2) % 3] }
    try test.store.update(contentsOf: ring + [Worker("r3", under: ring[1])])
    func depths(_ query: MagicQuery<Worker, MagicObjectStore>) throws -> [String] {
      try query.order(by: \.$name).select { ($0.$name, $0.depth) }.all().map { "\($0.0) \($0.1)" }
    }
    let one = workers.descendants(of: ring[0], by: \.$manager)
    #expect(try depths(one) == ["r1 1", "r2 2", "r3 2"])
    let two = workers.descendants(
      of: [ring[0], ring[1]], by: \.$manager, maximumDepth: 1, includingStart: true)
    #expect(try depths(two) == ["r0 0", "r1 0", "r2 1", "r3 1"])
    let limited = workers.descendants(of: ring[0], by: \.$reports, maximumDepth: 1)
    #expect(try depths(limited) == ["r1 1"])
  }

  @Test func objectsLimitsPagesAndDistinctRowsAreThoseOfOtherQueries() throws {
    let team = workers.descendants(of: boss, by: \.$reports).order(by: \.$name)
    #expect(try team.all().map(\.name) == ["Ann", "Bob", "Cid", "Dan", "Eve"])
    #expect(try team.limit(2).offset(1).all().map(\.name) == ["Bob", "Cid"])
    #expect(try team.limit(2).count() == 2)
    #expect(try team.limit(3).sum(\.$pay) == 18)
    #expect(try team.first()?.name == "Ann")
    #expect(try team.where(\.$pay > 100).exists() == false)
    #expect(try team.select(\.$pay).distinct().all().sorted() == [1, 5, 6, 7])
    #expect(try team.limit(4).select { $0.depth }.distinct().all().sorted() == [1, 2])
    #expect(try team.where { $0.$manager.$pay > 8 }.count() == 2)
  }

  @Test func descendantsAreASubquery() throws {
    let under = MagicQuery(Worker.self).descendants(of: try worker("Ann"), by: \.$manager)
    #expect(try names(workers.where { $0.$manager.in(under) }) == ["Eve"])
    #expect(
      try names(workers.where { $0.$pay > under.max(\.$pay) }) == ["Ann", "Bob", "Boss", "Zoe"])
    let two = workers.descendants(of: boss, by: \.$reports).where { worker in
      under.exists { $0.$name == worker.$name && $0.depth == 1 && $0.$pay == 5 }
    }
    #expect(try names(two) == ["Cid", "Dan"])
    #expect(
      try workers.where { $0.$name == "Eve" }.select { _ in under.max { $0.depth } }.all() == [2])
  }

  @Test func descendantsOfARowOfTheOuterQueryAreCounted() throws {
    let counts = try workers.order(by: \.$name).select { worker in
      (
        worker.$name,
        MagicQuery(Worker.self).descendants(by: \.$manager) { $0.$name == worker.$name }.count()
      )
    }.all()
    #expect(counts.map(\.1) == [3, 0, 5, 1, 0, 0, 0])
  }

  @Test func descendantsAreUpdatedAndDeleted() throws {
    let ann = try worker("Ann")
    let under = workers.descendants(of: ann, by: \.$reports)
    #expect(try under.update(set: \.$pay, to: 2) == 3)
    #expect(try workers.where(\.$pay == 2).count() == 3)
    #expect(try under.update(set: .set(\.$pay, to: { $0.$pay * 10 + $0.depth })) == 3)
    #expect(try under.order(by: \.$name).select(\.$pay).all() == [21, 21, 22])
    #expect(try under.where { $0.depth == 2 }.delete() == 1)
    #expect(try names(workers) == ["Ann", "Bob", "Boss", "Cid", "Dan", "Zoe"])
  }

  @Test func queriesThatDifferOnlyInTheStartHaveOneShape() throws {
    let (ann, cid) = (try worker("Ann"), try worker("Cid"))
    #expect(try names(workers.descendants(of: ann, by: \.$reports)) == ["Cid", "Dan", "Eve"])
    #expect(try names(workers.descendants(of: cid, by: \.$reports)) == ["Eve"])
    #expect(
      try names(workers.descendants(of: ann, by: \.$reports, maximumDepth: 1)) == ["Cid", "Dan"])
    #expect(try names(workers.ancestors(of: ann, by: \.$reports)) == ["Boss"])
  }

  @Test func mistakesAreErrors() throws {
    #expect(
      code {
        try workers.order { $0.depth }.all()
      } == .invalidQuery)
    #expect(
      code {
        try workers.descendants(of: boss, by: \.$reports, maximumDepth: -1).all()
      } == .invalidQuery)
    #expect(
      code {
        try workers.descendants(of: boss, by: \.$reports).ancestors(of: boss, by: \.$reports).all()
      } == .invalidQuery)
    #expect(
      code {
        try workers.descendants(of: boss, by: \.$manager.$manager).all()
      } == .invalidQuery)
    #expect(
      code {
        try workers.descendants(of: Worker("New"), by: \.$reports).all()
      } == .notSaved)
  }

  @Test func aChainOfAnyLengthIsFollowed() throws {
    let count = 20_000
    var last: Worker?
    var chain: [Worker] = []
    for number in 0..<count {
      let worker = Worker("\(number)", under: last)
      chain.append(worker)
      last = worker
    }
    try test.store.update(contentsOf: chain)
    let below = workers.descendants(of: chain[0], by: \.$manager)
    #expect(try below.count() == count - 1)
    #expect(try below.max { $0.depth } == count - 1)
  }

  private typealias Workers = MagicQuery<Worker, TaskReader>

  /// The names of 1,300 objects below the boss, and the query of a stream of them.
  private func team() throws -> (names: [String], stream: Workers) {
    let team = (0..<1_300).map { Worker("w\($0)", pay: $0 % 7, under: boss) }
    try test.store.update(contentsOf: team)
    let all = workers.descendants(of: boss, by: \.$reports).where(\.$pay > 1)
      .order(.descending) { $0.depth }.order(by: \.$pay)
    let stream = TaskReader(store: test.store).query(Worker.self)
      .descendants(of: boss, by: \.$reports).where(\.$pay > 1)
      .order(.descending) { $0.depth }.order(by: \.$pay)
    return (try all.all().map(\.name), stream)
  }

  private func removeTeam() throws {
    try test.store.query(Worker.self).where { $0.$manager == boss }.delete()
  }

  @Test func aStreamHasTheRowsOfOneTraversal() async throws {
    let (expected, stream) = try team()
    #expect(expected.count > 900)
    func names(_ query: Workers) async throws -> [String] {
      var names: [String] = []
      for try await worker in query.stream() { names.append(worker.name) }
      return names
    }
    #expect(try await names(stream) == expected)
    #expect(try await names(stream.limit(700).offset(20)) == Array(expected[20..<720]))
    #expect(try await names(stream.where(\.$pay > 99)) == [])
    // Rows that are deleted after the first page are left out, also if none of a page remains.
    var found: [String] = []
    for try await worker in stream.stream() {
      if found.isEmpty { try removeTeam() }
      found.append(worker.name)
    }
    #expect(found == Array(expected.prefix(512)))
  }
}
