import EngineConformance
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

struct ValuedHome: MagicObject {
  @MagicValue var street: String = ""
  @MagicValue var number: Int = 0
  @MagicValue(.indexed) var rank: Double = 0
  @OptionMagicValue var keeper: ValuedHuman?
  @MagicValue var guests: [ValuedHuman] = []

  init() {}

  init(_ street: String, _ number: Int = 0) {
    self.street = street
    self.number = number
  }
}

struct ValuedHuman: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @OptionMagicValue var friend: ValuedHuman?
  @OptionMagicValue var pet: ValuedPet?

  init() {}

  init(_ name: String, age: Int = 0) {
    self.name = name
    self.age = age
  }
}

struct ValuedPet: MagicObject {
  @MagicValue var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

/// A closure that runs once while rows are read.
struct ValuedHook: Magical {
  static let atNextRead = LiveBox<(@Sendable () -> Void)?>(nil)

  var storedValue: Int64 { 0 }

  init() {}

  init(storedValue: Int64) {
    var hook: (@Sendable () -> Void)?
    Self.atNextRead.change { (hook, $0) = ($0, nil) }
    hook?()
  }
}

struct ValuedHooked: MagicObject {
  @MagicValue var name: String
  @MagicValue var rank: Int
  @MagicValue var hook: ValuedHook = ValuedHook()

  init() {}

  init(_ name: String, rank: Int) {
    self.name = name
    self.rank = rank
  }
}

struct ValuedShed: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var owner: AsyncMagical<ValuedHuman>
  @MagicValue var users: AsyncMagical<[ValuedHuman]> = .init(value: [])

  init() {}
}

/// A database that counts the reads of objects, and of raw SQL that contains `counted`.
struct ValuedWorld: Sendable {
  let magic: MagicData
  let count: Counter

  final class Counter: Sendable {
    private let counts = LiveBox(0)

    /// SQLite reports statements, and the engine in memory the types of queries for objects.
    func note(_ line: String) {
      let isRead = line.hasPrefix("SELECT t0.\"z_index\"") || line.hasPrefix("objects of ")
      if isRead || line.contains("counted") { counts.add(1) }
    }

    var value: Int { counts.value }
  }

  init(_ location: MagicStoreLocation = .temporary) throws {
    let count = Counter()
    var options = MagicOptions()
    options.trace = { count.note($0) }
    magic = MagicData(store: try MagicObjectStore.onTestedEngine(location, options: options))
    self.count = count
  }

  func sql(_ sql: String) async throws { try await magic.sql("\(raw: sql)").run() }

  /// Runs a body that must not cause a read, while a task waits for results. A read before it shows
  /// that the engine reports reads.
  func expectsNoRead(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async throws {
    try await runOtherTasks()
    let before = count.value
    try #require(before > 0, "No read is counted.", sourceLocation: sourceLocation)
    try await body()
    try await runOtherTasks()
    #expect(count.value == before, sourceLocation: sourceLocation)
  }

  /// Waits for another read.
  func counts(
    beyond before: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    #expect(await eventually { count.value > before }, sourceLocation: sourceLocation)
  }

  /// Lets other tasks run.
  func runOtherTasks() async throws {
    for _ in 0..<20 {
      _ = try await magic.query(ValuedPet.self).count()
      await Task.yield()
    }
  }
}

/// Records the results of a sequence in its own task.
final class ValuedResults<Value: Sendable>: Sendable {
  private let results = LiveBox<[Value]>([])
  private let end = LiveBox<(isOver: Bool, error: (any Error)?)>((false, nil))
  private let task: Task<Void, Never>

  init(_ values: MagicValues<Value>) {
    task = Task { [results, end] in
      do {
        for try await value in values { results.change { $0.append(value) } }
        end.change { $0.isOver = true }
      } catch {
        end.change { $0 = (true, error) }
      }
    }
  }

  deinit { task.cancel() }

  var all: [Value] { results.value }
  var isOver: Bool { end.value.isOver }
  var error: (any Error)? { end.value.error }

  func cancel() { task.cancel() }

  /// The results, when there are at least this many.
  func first(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [Value] {
    _ = await eventually { self.all.count >= count }
    let all = all
    try #require(all.count == count, sourceLocation: sourceLocation)
    return all
  }

  func ending(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    #expect(await eventually { isOver }, sourceLocation: sourceLocation)
  }
}

@Suite(.everyEngine, .timeLimit(.minutes(5))) struct ValuesTests {
  @Test(.requires([.queries, .regions])) func onlyCommitsThatCouldChangeTheResultAreReadAfter()
    async throws
  {
    let world = try ValuedWorld()
    let magic = world.magic
    let homes = [ValuedHome("Oak", 1), ValuedHome("Elm", 2), ValuedHome("Oak", 3)]
    try await magic.update(contentsOf: homes)
    try await magic.update(ValuedPet("Rex"))
    let found = ValuedResults(
      magic.query(ValuedHome.self).where(\.$street == "Oak").order(by: \.$number).values())
    #expect(try await found.first(1)[0].map(\.number) == [1, 3])
    // Another table, and a column of a row that the query does not find.
    try await world.expectsNoRead {
      try await magic.update(LivePet("Max"))
      homes[1].rank = 7
      try await magic.update(homes[1])
      try await world.magic.query(ValuedHome.self).where(\.$street == "Elm").update(
        set: \.$rank, to: 8.5)
      try await world.magic.query(ValuedHome.self).where(\.$street == "Oak").update(
        set: \.$rank, to: 0.0)
    }
    // The same column of a row that it finds, and a column of its condition.
    homes[0].rank = 7
    try await magic.update(homes[0])
    #expect(try await found.first(2)[1].map(\.rank) == [7, 0])
    homes[1].street = "Oak"
    try await magic.update(homes[1])
    #expect(try await found.first(3)[2].map(\.number) == [1, 2, 3])
    try await magic.remove(homes[0])
    #expect(try await found.first(4)[3].map(\.number) == [2, 3])
  }

  @Test(.requires(.queries)) func equalResultsAreNotRepeated() async throws {
    let world = try ValuedWorld()
    try await world.magic.update(ValuedHome("Oak"))
    let found = ValuedResults(
      world.magic.query(ValuedHome.self).where(\.$street == "Oak").values())
    _ = try await found.first(1)
    let before = world.count.value
    try await world.magic.update(ValuedHome("Elm"))
    try await world.magic.query(ValuedHome.self).where(\.$street == "Elm").update(
      set: \.$street, to: "Fir")
    try await world.counts(beyond: before)
    try await world.magic.query(ValuedHome.self).where(\.$street == "Oak").update(
      set: \.$number, to: 1)
    #expect(try await found.first(2).map { $0.map(\.number) } == [[0], [1]])
  }

  /// While a result is read, its rows are unknown: those of the previous result are not used.
  @Test(.requires(.queries)) func aCommitWhileItsRowsAreReadIsNotMissed() async throws {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    let magic = MagicData(store: store)
    let (first, second) = (ValuedHooked("a", rank: 1), ValuedHooked("b", rank: 0))
    try await magic.update(contentsOf: [first, second])
    let found = ValuedResults(magic.query(ValuedHooked.self).where(\.$rank > 0).values())
    #expect(try await found.first(1)[0].map(\.name) == ["a"])
    let isDone = DispatchSemaphore(value: 0)
    ValuedHook.atNextRead.change { hook in
      hook = {
        Thread {
          second.name = "c"
          #expect(throws: Never.self) { try store.update(second) }
          isDone.signal()
        }.start()
        isDone.wait()
      }
    }
    second.rank = 1
    try await magic.update(second)
    #expect(try await found.first(3).map { $0.map(\.name) } == [["a"], ["a", "b"], ["a", "c"]])
    await magic.close()
  }

  @Test(.requires(.queries)) func negativeZeroIsADifferentResult() async throws {
    let world = try ValuedWorld()
    let home = ValuedHome("Oak")
    try await world.magic.update(home)
    let found = ValuedResults(world.magic.query(ValuedHome.self).values())
    let ranks = ValuedResults(world.magic.query(ValuedHome.self).select(\.$rank).values())
    _ = (try await found.first(1), try await ranks.first(1))
    home.rank = -0.0
    try await world.magic.update(home)
    #expect(try await found.first(2)[1][0].rank.sign == .minus)
    #expect(try await ranks.first(2)[1][0].sign == .minus)
  }

  @Test(.requires(.queries)) func manyCommitsWithoutARequestAreOneResult() async throws {
    let world = try ValuedWorld()
    var values = world.magic.query(ValuedPet.self).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 0)
    for index in 0..<30 { try await world.magic.update(ValuedPet("\(index)")) }
    let before = world.count.value
    #expect(try await values.next()?.count == 30)
    #expect(world.count.value == before + 1)
  }

  @Test(.requires(.queries)) func referencedObjectsArePartOfAResult() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let home = ValuedHome("Oak")
    home.keeper = ValuedHuman("Ada")
    home.keeper?.friend = ValuedHuman("Bob")
    home.keeper?.friend?.friend = home.keeper
    home.keeper?.friend?.pet = ValuedPet("Rex")
    home.guests = [ValuedHuman("Eve")]
    try await magic.update(home)
    let found = ValuedResults(magic.query(ValuedHome.self).values())
    _ = try await found.first(1)
    let pet = try #require(home.keeper?.friend?.pet)
    pet.name = "Max"
    try await magic.update(pet)
    #expect(try await found.first(2)[1][0].keeper?.friend?.pet?.name == "Max")
    home.guests[0].name = "Eva"
    try await magic.update(home.guests[0])
    #expect(try await found.first(3)[2][0].guests.map(\.name) == ["Eva"])
    home.guests.insert(ValuedHuman("Zoe"), at: 0)
    try await magic.update(home)
    #expect(try await found.first(4)[3][0].guests.map(\.name) == ["Zoe", "Eva"])
    home.guests.swapAt(0, 1)
    try await magic.update(home)
    #expect(try await found.first(5)[4][0].guests.map(\.name) == ["Eva", "Zoe"])
    try await magic.remove(pet)
    #expect(try await found.first(6)[5][0].keeper?.friend?.pet == nil)
  }

  @Test(.requires([.queries, .regions])) func lazyRelationshipsAreNotPartOfAResult() async throws {
    let world = try ValuedWorld()
    let shed = ValuedShed()
    let (ada, bob) = (ValuedHuman("Ada"), ValuedHuman("Bob"))
    shed.owner.set(ada)
    shed.users.set([bob])
    try await world.magic.update(shed)
    let found = ValuedResults(world.magic.query(ValuedShed.self).values())
    _ = try await found.first(1)
    try await world.expectsNoRead {
      try await world.magic.query(ValuedHuman.self).update(set: \.$name, to: "x")
      shed.users.set([])
      try await world.magic.update(shed)
    }
    shed.owner.set(ValuedHuman("Eve"))
    try await world.magic.update(shed)
    _ = try await found.first(2)
  }

  @Test(.requires(.queries)) func filtersThroughRelationshipsAreObserved() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let shed = ValuedShed()
    let (ada, bob) = (ValuedHuman("Ada", age: 1), ValuedHuman("Bob", age: 1))
    shed.owner.set(ada)
    shed.users.set([bob])
    try await magic.update(shed)
    let query = magic.query(ValuedShed.self)
    let toOne = ValuedResults(query.where { $0.$owner.$age > 5 }.values())
    let member = ValuedResults(query.where { $0.$users.contains { $0.$age > 5 } }.values())
    let count = ValuedResults(query.where { $0.$users.count > 1 }.values())
    let ordered = ValuedResults(query.order { $0.$owner.$name }.select { $0.$owner.$name }.values())
    _ = (try await toOne.first(1), try await member.first(1), try await count.first(1))
    _ = try await ordered.first(1)
    try await world.expectsNoRead {
      try await world.magic.query(ValuedHuman.self).update(set: \.$pet, to: nil)
    }
    ada.age = 6
    try await magic.update(ada)
    #expect(try await toOne.first(2).map(\.count) == [0, 1])
    bob.age = 6
    try await magic.update(bob)
    #expect(try await member.first(2).map(\.count) == [0, 1])
    shed.users.set([bob, ada])
    try await magic.update(shed)
    #expect(try await count.first(2).map(\.count) == [0, 1])
    ada.name = "Eve"
    try await magic.update(ada)
    #expect(try await ordered.first(2) == [["Ada"], ["Eve"]])
  }

  @Test(.requires(.queries)) func listsOfValuesLimitsAndOffsetsAreObserved() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let homes = (0..<6).map { ValuedHome("S\($0)", $0) }
    try await magic.update(contentsOf: homes)
    let listed = ValuedResults(
      magic.query(ValuedHome.self).where { $0.$number.in(Array(100..<5_000)) }.values())
    let page = ValuedResults(
      magic.query(ValuedHome.self).order(by: \.$number).limit(2).offset(1).values())
    _ = (try await listed.first(1), try await page.first(1))
    homes[0].number = 200
    try await magic.update(homes[0])
    #expect(try await listed.first(2)[1].map(\.street) == ["S0"])
    #expect(try await page.first(2).map { $0.map(\.number) } == [[1, 2], [2, 3]])
  }

  @Test(.requires(.queries)) func aTableThatDoesNotExistYetIsObserved() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let homes = ValuedResults(magic.query(ValuedHome.self).values())
    let filtered = ValuedResults(
      magic.query(ValuedShed.self).where { $0.$owner.$age > 5 }.values())
    _ = (try await homes.first(1), try await filtered.first(1))
    var counts: ValuedResults<[Int]>?
    if TestedEngine.current.has(.rawSQL) {
      counts = ValuedResults(
        magic.sql("SELECT count(*) FROM \(table: ValuedPet.self)").values(Int.self))
      _ = try await counts?.first(1)
    }
    let home = ValuedHome("Oak")
    try await magic.update(home)
    _ = try await homes.first(2)
    // The first keeper creates the table that the homes refer to.
    home.keeper = ValuedHuman("Ada")
    try await magic.update(home)
    #expect(try await homes.first(3)[2][0].keeper?.name == "Ada")
    let shed = ValuedShed()
    shed.owner.set(ValuedHuman("Bob", age: 7))
    try await magic.update(shed)
    #expect(try await filtered.first(2).map(\.count) == [0, 1])
    try await magic.update(ValuedPet("Rex"))
    if let counts { #expect(try await counts.first(2) == [[0], [1]]) }
    // When the table exists, its other columns are distinguished again.
    try await world.runOtherTasks()
    let other = ValuedHome("Elm")
    try await magic.update(other)
    _ = try await homes.first(4)
  }

  @Test(.requires(.queries)) func objectsOfResultsAreIndependent() async throws {
    let world = try ValuedWorld()
    let home = ValuedHome("Oak")
    try await world.magic.update(home)
    var values = world.magic.query(ValuedHome.self).values().makeAsyncIterator()
    let first = try #require(try await values.next())
    first[0].street = "Mine"
    home.number = 2
    try await world.magic.update(home)
    let second = try #require(try await values.next())
    #expect(second[0].street == "Oak" && first[0].street == "Mine" && first[0].number == 0)
  }

  @Test(.requires(.queries)) func iteratorsAreIndependent() async throws {
    let world = try ValuedWorld()
    let values = world.magic.query(ValuedPet.self).values()
    var (first, second) = (values.makeAsyncIterator(), values.makeAsyncIterator())
    #expect(try await first.next()?.count == 0)
    try await world.magic.update(ValuedPet("Rex"))
    #expect(try await second.next()?.count == 1)
    #expect(try await first.next()?.count == 1)
  }

  @Test(.requires(.queries)) func aDatabaseInMemoryIsObserved() async throws {
    let world = try ValuedWorld(.memory)
    let found = ValuedResults(world.magic.query(ValuedPet.self).values())
    _ = try await found.first(1)
    try await world.magic.update(ValuedPet("Rex"))
    #expect(try await found.first(2).map(\.count) == [0, 1])
    await world.magic.close()
    try await found.ending()
  }

  @Test(.requires(.rawSQL)) func aReadOnlyDatabaseReceivesWritesOfAnotherHandle() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("shared.sqlite3").path
    let writing = try await MagicData.onTestedEngine(path: path)
    try await writing.update(ValuedHome("Oak"))
    var options = MagicOptions(readOnly: true)
    let count = ValuedWorld.Counter()
    options.trace = { count.note($0) }
    let reading = MagicData(
      store: try MagicObjectStore.onTestedEngine(.file(path), options: options))
    let found = ValuedResults(reading.query(ValuedHome.self).where(\.$number > 0).values())
    _ = try await found.first(1)
    let before = count.value
    try await writing.query(ValuedHome.self).update(set: \.$rank, to: 5.0)
    try await writing.update(LivePet("Rex"))
    for _ in 0..<20 { _ = try await reading.sql("SELECT 1").value(Int.self) }
    #expect(count.value == before)
    try await writing.query(ValuedHome.self).update(set: \.$number, to: 5)
    #expect(try await found.first(2)[1].map(\.number) == [5])
    await reading.close()
    try await found.ending()
    await writing.close()
  }

  @Test(.requires(.queries)) func aClosedDatabaseEndsThem() async throws {
    let world = try ValuedWorld()
    let found = ValuedResults(world.magic.query(ValuedPet.self).values())
    _ = try await found.first(1)
    await world.magic.close()
    try await found.ending()
    #expect(found.error == nil)
    var late = world.magic.query(ValuedPet.self).values().makeAsyncIterator()
    await #expect { _ = try await late.next() } throws: { ($0 as? MagicError)?.code == .closed }
    #expect(try await late.next() == nil)
  }

  @Test(.requires(.queries)) func aCancelledTaskEndsThem() async throws {
    let world = try ValuedWorld()
    let found = ValuedResults(world.magic.query(ValuedPet.self).values())
    _ = try await found.first(1)
    #expect(world.magic.store.observerCount == 1)
    found.cancel()
    try await found.ending()
    #expect(found.error == nil && world.magic.store.observerCount == 0)
  }

  @Test(.requires(.queries), arguments: 0..<4)
  func commitsDuringTheirStartAreNeverMissed(_ part: Int) async throws {
    let world = try ValuedWorld(part % 2 == 0 ? .temporary : .memory)
    let magic = world.magic
    let pet = ValuedPet("0")
    if part < 2 { try await magic.update(pet) }
    for round in 1...50 {
      async let writes: Void = {
        for step in 0..<2 {
          let name = "\(round).\(step)"
          try await magic.transaction { transaction in
            pet.name = name
            try transaction.update(pet)
          }
        }
      }()
      if round % 3 == 0 { await Task.yield() }
      let found = ValuedResults(magic.query(ValuedPet.self).values())
      try await writes
      #expect(await eventually { found.all.last?.first?.name == "\(round).1" })
      #expect(found.all.last?.map(\.name) == ["\(round).1"])
    }
  }
}
