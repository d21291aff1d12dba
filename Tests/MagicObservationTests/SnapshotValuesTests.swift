import EngineConformance
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// Live results of bodies of reads.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct SnapshotValuesTests {
  private let world: ValuedWorld
  private var magic: MagicData { world.magic }
  /// The number of runs of bodies.
  private let runs = LiveBox(0)

  private static var old: MagicSQL { "SELECT z_index FROM ValuedHuman WHERE age > 5" }

  init() throws { world = try ValuedWorld() }

  private func results<Value: Equatable & Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> ValuedResults<Value> {
    let runs = runs
    return ValuedResults(
      magic.values { snapshot in
        runs.add(1)
        return try body(snapshot)
      })
  }

  /// As above, for results that cannot be compared.
  private func results<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Value
  ) -> ValuedResults<Value> {
    let runs = runs
    return ValuedResults(
      magic.values { snapshot in
        runs.add(1)
        return try body(snapshot)
      })
  }

  /// Makes commits after which no body may run.
  private func expectsNoRun(
    sourceLocation: SourceLocation = #_sourceLocation, _ commits: () async throws -> Void
  ) async throws {
    try await world.runOtherTasks()
    let before = runs.value
    try await commits()
    try await world.runOtherTasks()
    #expect(runs.value == before, sourceLocation: sourceLocation)
  }

  @Test(.requires([.queries, .regions])) func aCountRunsAgainAfterCommitsThatCouldChangeIt()
    async throws
  {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    try await magic.update(ValuedPet("Rex"))
    let found = results { try $0.query(ValuedHome.self).where(\.$street == "Oak").count() }
    #expect(try await found.first(1) == [1])
    try await expectsNoRun {
      try await world.magic.query(ValuedHome.self).update(
        set: .set(\.$rank, to: 5), .set(\.$number, to: 7))
      try await magic.update(ValuedPet("Max"))
    }
    try await world.magic.query(ValuedHome.self).where(\.$street == "Elm").update(
      set: \.$street, to: "Oak")
    #expect(try await found.first(2) == [1, 2])
    // The rows are different, the count is equal.
    let before = runs.value
    try await magic.update(ValuedHome("Fir"))
    #expect(await eventually { runs.value != before })
    #expect(runs.value == before + 1)
    try await magic.update(ValuedHome("Oak"))
    #expect(try await found.first(3) == [1, 2, 3])
  }

  @Test(.requires([.queries, .regions])) func groupsAndSumsAreReadAgain() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    let groups = results { snapshot in
      try snapshot.query(ValuedHome.self).grouped(by: \.$street).sum(\.$number)
        .map { "\($0.key) \($0.sum)" }.sorted()
    }
    let sum = results { try $0.query(ValuedHome.self).sum(\.$number) }
    #expect(try await groups.first(1) == [["Elm 2", "Oak 1"]])
    #expect(try await sum.first(1) == [3])
    try await expectsNoRun {
      try await world.magic.query(ValuedHome.self).update(set: \.$rank, to: 5)
    }
    try await magic.update(ValuedHome("Oak", 4))
    #expect(try await groups.first(2)[1] == ["Elm 2", "Oak 5"])
    #expect(try await sum.first(2)[1] == 7)
  }

  @Test(.requires(.queries)) func severalReadsOfABodySeeOneState() async throws {
    let magic = magic
    let found = results { snapshot in
      (
        homes: try snapshot.query(ValuedHome.self).count(),
        pets: try snapshot.object(of: ValuedPet.self).count
      )
    }
    _ = try await found.first(1)
    for index in 0..<40 {
      try await magic.transaction { transaction in
        try transaction.update(ValuedHome("\(index)"))
        try transaction.update(ValuedPet("\(index)"))
      }
    }
    #expect(await eventually { found.all.last?.homes == 40 })
    #expect(found.all.last?.pets == 40)
    #expect(found.all.allSatisfy { $0.homes == $0.pets })
  }

  @Test(.requires(.rawSQL)) func tablesOfRawSQLAreObserved() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    try await world.sql("CREATE VIEW big AS SELECT number AS n FROM ValuedHome WHERE number > 1")
    let found = results { try $0.sql("SELECT count(*) FROM big").value(Int.self) }
    #expect(try await found.first(1) == [1])
    try await expectsNoRun {
      try await world.magic.query(ValuedHome.self).update(set: \.$rank, to: 5)
    }
    try await world.magic.query(ValuedHome.self).update(set: \.$number, to: 9)
    #expect(try await found.first(2) == [1, 2])
    try await magic.transaction { transaction in
      try transaction.sql("DROP VIEW big").run()
      try transaction.sql("CREATE VIEW big AS SELECT 1 WHERE 0").run()
    }
    #expect(try await found.first(3) == [1, 2, 0])
  }

  @Test(.requires(.queries)) func aTypeIsReadAgainAfterItsFirstSave() async throws {
    let count = results { try $0.query(ValuedHome.self).count() }
    let all = results { try $0.object(of: ValuedHome.self).map(\.street) }
    let guests = results { snapshot in
      try snapshot.query(ValuedHome.self).where { $0.$guests.contains { $0.$age > 5 } }.exists()
    }
    // Raw SQL on engines that support it.
    let hasSQL = TestedEngine.current.has(.rawSQL)
    let text = results {
      guard hasSQL else { return try $0.query(ValuedPet.self).count() }
      return try $0.sql("SELECT count(*) FROM \(table: ValuedPet.self)").value(Int.self) ?? -1
    }
    #expect(try await count.first(1) == [0])
    #expect(try await all.first(1) == [[]])
    #expect(try await guests.first(1) == [false])
    #expect(try await text.first(1) == [0])
    let home = ValuedHome("Oak")
    try await magic.update(home)
    #expect(try await count.first(2) == [0, 1])
    #expect(try await all.first(2) == [[], ["Oak"]])
    home.guests = [ValuedHuman("Ada", age: 6)]
    try await magic.update(home)
    #expect(try await guests.first(2) == [false, true])
    try await magic.update(ValuedPet("Rex"))
    #expect(try await text.first(2) == [0, 1])
  }

  @Test(.requires([.queries, .regions])) func theReadsOfABodyMayDependOnItsResults() async throws {
    let home = ValuedHome("Oak", 0)
    try await magic.update(home)
    try await magic.update(ValuedPet("Rex"))
    try await magic.update(ValuedHuman("Ada"))
    let found = results { snapshot in
      try snapshot.object(of: ValuedHome.self).first?.number == 0
        ? "pets \(snapshot.query(ValuedPet.self).count())"
        : "humans \(snapshot.query(ValuedHuman.self).count())"
    }
    // The keeper and guests of the home are humans: they are fetched with it.
    let number = results { snapshot in
      try snapshot.query(ValuedHome.self).select(\.$number).first() == 0
        ? "pets \(snapshot.query(ValuedPet.self).count())"
        : "humans \(snapshot.query(ValuedHuman.self).count())"
    }
    #expect(try await found.first(1) == ["pets 1"])
    #expect(try await number.first(1) == ["pets 1"])
    home.number = 1
    try await magic.update(home)
    #expect(try await found.first(2)[1] == "humans 1")
    #expect(try await number.first(2)[1] == "humans 1")
    try await expectsNoRun { try await magic.update(ValuedPet("Max")) }
    try await magic.update(ValuedHuman("Bob"))
    #expect(try await found.first(3)[2] == "humans 2")
    #expect(try await number.first(3)[2] == "humans 2")
  }

  /// The observer of the new region of a body is added after the body has run.
  @Test(.requires([.queries, .regions])) func aCommitBeforeTheNewObserverIsAddedIsNotMissed()
    async throws
  {
    let store = magic.store
    let home = ValuedHome("Oak", 0)
    try await magic.update(home)
    let hook = LiveBox<(@Sendable () -> Void)?>(nil)
    let found = results { snapshot in
      guard try snapshot.query(ValuedHome.self).select(\.$number).first() == 1 else { return -1 }
      let count = try snapshot.query(ValuedPet.self).count()
      var call: (@Sendable () -> Void)?
      hook.change { (call, $0) = ($0, nil) }
      call?()
      return count
    }
    #expect(try await found.first(1) == [-1])
    hook.change { hook in
      hook = {
        let isDone = DispatchSemaphore(value: 0)
        Thread {
          #expect(throws: Never.self) { try store.update(ValuedPet("Rex")) }
          isDone.signal()
        }.start()
        isDone.wait()
      }
    }
    home.number = 1
    try await magic.update(home)
    #expect(try await found.first(2) == [-1, 1])
  }

  @Test(.requires(.queries)) func equalResultsOfOtherRowsAreNotRepeated() async throws {
    try await magic.update(contentsOf: [ValuedPet("Rex"), ValuedPet("Max")])
    let counts = results { try $0.object(of: ValuedPet.self).count }
    let pairs = results { (try $0.object(of: ValuedPet.self).count, 0) }
    #expect(try await counts.first(1) == [2])
    _ = try await pairs.first(1)
    let before = runs.value
    try await world.magic.query(ValuedPet.self).where(\.$name == "Max").update(
      set: \.$name, to: "Ben")
    #expect(await eventually { runs.value >= before + 2 })
    // A tuple cannot be compared.
    #expect(try await pairs.first(2).map(\.0) == [2, 2])
    try await magic.update(ValuedPet("Tom"))
    #expect(try await counts.first(2) == [2, 3])
  }

  @Test(.requires(.queries)) func objectsAreComparedByTheirValuesAndNotByTheirOperator()
    async throws
  {
    try await magic.update(ValuedTag(1, "a"))
    let all = ValuedResults(magic.values { try $0.object(of: ValuedTag.self) })
    let one = ValuedResults(magic.values { try $0.object(of: ValuedTag.self, primary: 1) })
    let first = ValuedResults(magic.values { try $0.query(ValuedTag.self).first() })
    _ = (try await all.first(1), try await one.first(1), try await first.first(1))
    try await world.magic.query(ValuedTag.self).update(set: \.$name, to: "b")
    #expect(try await all.first(2)[1].map(\.name) == ["b"])
    #expect(try await one.first(2)[1].name == "b")
    #expect(try await first.first(2)[1]?.name == "b")
  }

  /// A full-text index reads its own tables for a statement, and the version of its file.
  @Test(.requires(.rawSQL)) func aFullTextSearchIsNotRepeatedAfterOtherCommits() async throws {
    try await world.sql("CREATE VIRTUAL TABLE place USING fts5(body)")
    try await world.sql("INSERT INTO place VALUES ('oak street')")
    let found = results { snapshot in
      (try snapshot.sql("SELECT body FROM place WHERE place MATCH 'oak'").rows(String.self), 0)
    }
    #expect(try await found.first(1).map(\.0) == [["oak street"]])
    for index in 0..<5 {
      // Any commit may have changed it.
      let before = runs.value
      try await magic.update(ValuedPet("\(index)"))
      #expect(await eventually { runs.value != before })
      try await world.runOtherTasks()
    }
    #expect(found.all.count == 1)
    try await world.sql("INSERT INTO place VALUES ('oak alley')")
    #expect(try await found.first(2)[1].0 == ["oak street", "oak alley"])
  }

  @Test(.requires([.queries, .regions]))
  func aRowThatMovesFromOneStatementToTheNextIsAnotherResult()
    async throws
  {
    try await magic.update(ValuedHome("Oak", 0))
    let found = results { snapshot in
      let homes = snapshot.query(ValuedHome.self)
      return try [0, 1].map { try homes.where(\.$number == $0).select(\.$street).all() }
    }
    #expect(try await found.first(1) == [[["Oak"], []]])
    try await world.magic.query(ValuedHome.self).update(set: \.$number, to: 1)
    #expect(try await found.first(2)[1] == [[], ["Oak"]])
  }

  @Test(.requires([.queries, .regions])) func valuesOfALargeListAreNotPartOfTheResult() async throws
  {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    let numbers = Array(0..<2_000)
    let found = results { try $0.query(ValuedHome.self).where { $0.$number.in(numbers) }.count() }
    #expect(try await found.first(1) == [2])
    try await expectsNoRun { try await magic.update(ValuedPet("Rex")) }
    try await magic.update(ValuedHome("Fir", 3))
    #expect(try await found.first(2) == [2, 3])
  }

  @Test(.requires(.queries)) func eachKindOfReadIsRecorded() async throws {
    let shed = ValuedShed()
    shed.owner.set(ValuedHuman("Ada", age: 1))
    shed.users.set([ValuedHuman("Bob", age: 1)])
    try await magic.update(shed)
    typealias Body = @Sendable (borrowing MagicSnapshot) throws -> String
    var bodies: [Body] = [
      { try "\($0.object(of: ValuedHuman.self).map(\.age))" },
      { try "\($0.first(of: ValuedHuman.self) { $0.age > 5 }?.name ?? "none")" },
      { try "\($0.query(ValuedHuman.self).where(\.$age > 5).all().map(\.name))" },
      { try "\($0.query(ValuedHuman.self).where(\.$age > 5).first()?.name ?? "none")" },
      { try "\($0.query(ValuedHuman.self).where(\.$age > 5).exists())" },
      { try "\($0.query(ValuedHuman.self).max(\.$age) ?? 0)" },
      { try "\($0.query(ValuedHuman.self).select(\.$name, \.$age).all())" },
      { try "\($0.query(ValuedHuman.self).grouped(by: \.$age).count())" },
      { try "\($0.object(of: ValuedShed.self)[0].owner.get(in: $0).age)" },
      { try "\($0.object(of: ValuedShed.self)[0].users.get(in: $0).map(\.age))" },
      { try "\($0.read { try $0.query(ValuedHuman.self).sum(\.$age) })" },
    ]
    if TestedEngine.current.has(.rawSQL) {
      bodies += [
        { try "\($0.sql("SELECT age FROM ValuedHuman").rows(Int.self))" },
        { try "\($0.sql(Self.old).objects(of: ValuedHuman.self).map(\.name))" },
      ]
    }
    let found = bodies.map { results($0) }
    for results in found { _ = try await results.first(1) }
    try await world.magic.query(ValuedHuman.self).update(set: \.$age, to: 9)
    for (index, results) in found.enumerated() {
      #expect(await eventually { results.all.count == 2 }, "body \(index)")
      let all = try await results.first(2)
      #expect(all[0] != all[1], "body \(index)")
    }
    let users = results { try $0.object(of: ValuedShed.self)[0].users.count(in: $0) }
    #expect(try await users.first(1) == [1])
    shed.users.set([])
    try await magic.update(shed)
    #expect(try await users.first(2) == [1, 0])
  }

  @Test func primariesAreLookedUpAgain() async throws {
    let isThere = results { try $0.has(of: ValuedNumbered.self, primary: 1) }
    let names = results { snapshot in
      try snapshot.object(of: ValuedNumbered.self, primaries: [1, 2]).map(\.name)
    }
    #expect(try await isThere.first(1) == [false])
    #expect(try await names.first(1) == [[]])
    try await magic.update(ValuedNumbered(1, "a"))
    #expect(try await isThere.first(2) == [false, true])
    #expect(try await names.first(2)[1] == ["a"])
    try await magic.update(ValuedNumbered(2, "b"))
    #expect(try await names.first(3)[2] == ["a", "b"])
  }

  @Test(.requires([.queries, .regions])) func aBodyThatReadsNothingHasOneResult() async throws {
    let found = results { _ in 7 }
    #expect(try await found.first(1) == [7])
    try await expectsNoRun { try await magic.update(ValuedPet("Rex")) }
    await magic.close()
    try await found.ending()
    #expect(found.error == nil)
    #expect(found.all == [7])
  }

  @Test(.requires(.queries)) func anErrorOfTheBodyEndsTheResults() async throws {
    struct TooMany: Error {}
    let found = results { snapshot in
      let count = try snapshot.query(ValuedPet.self).count()
      guard count < 2 else { throw TooMany() }
      return count
    }
    #expect(try await found.first(1) == [0])
    try await magic.update(ValuedPet("Rex"))
    #expect(try await found.first(2) == [0, 1])
    try await magic.update(ValuedPet("Max"))
    try await found.ending()
    #expect(found.error is TooMany)
    guard TestedEngine.current.has(.rawSQL) else { return }
    let wrong = results { try $0.sql("SELECT nothing").rows(Int.self) }
    try await wrong.ending()
    #expect((wrong.error as? MagicError)?.code == .invalidQuery)
  }

  @Test(.requires(.queries)) func aCancelledTaskAndAClosedDatabaseEndTheResults() async throws {
    let cancelled = results { try $0.query(ValuedPet.self).count() }
    let closed = results { try $0.query(ValuedPet.self).count() }
    _ = (try await cancelled.first(1), try await closed.first(1))
    cancelled.cancel()
    try await cancelled.ending()
    #expect(cancelled.error == nil)
    await magic.close()
    try await closed.ending()
    #expect(closed.error == nil)
    var late = magic.values { _ in 0 }.makeAsyncIterator()
    await #expect { _ = try await late.next() } throws: { ($0 as? MagicError)?.code == .closed }
  }

  @Test(.requires(.rawSQL)) func theSQLLogIsUnchanged() async throws {
    try await magic.update(ValuedPet("Rex"))
    let before = world.count.value
    let found = results {
      try $0.sql("SELECT /* counted */ count(*) FROM ValuedPet").value(Int.self)
    }
    #expect(try await found.first(1) == [1])
    #expect(world.count.value == before + 2)
    _ = try await magic.sql("SELECT /* counted */ 1").value(Int.self)
    #expect(world.count.value == before + 3)
  }
}

struct ValuedNumbered: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var name: String = ""

  init() {}

  init(_ number: Int, _ name: String) {
    self.number = number
    self.name = name
  }
}

/// Equal if the primaries are equal.
struct ValuedTag: MagicObject, Equatable {
  @PrimaryMagicValue var number: Int
  @MagicValue var name: String = ""

  init() {}

  init(_ number: Int, _ name: String) {
    self.number = number
    self.name = name
  }

  static func == (one: Self, other: Self) -> Bool { one.number == other.number }
}
