import EngineConformance
import MagicData
import MagicQuery
import Testing

/// Live results of queries with windows.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct WindowValuesTests {
  @Test(.requires(.queries)) func aWindowDependsOnOtherRows() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let (ada, bob) = (ValuedHuman("Ada", age: 30), ValuedHuman("Bob", age: 20))
    try await magic.update(ada, bob)
    let ranks = ValuedResults(
      magic.query(ValuedHuman.self).where { $0.$name == "Bob" || $0.$name == "Ada" }
        .order(by: \.$name).limit(1)
        .select { $0.rank(over: .order(by: $0.$age, .descending)) }.values())
    #expect(try await ranks.first(1)[0] == [1])
    bob.age = 40
    try await magic.update(bob)
    #expect(try await ranks.first(2)[1] == [2])
  }

  @Test(.requires(.queries)) func anOrderByAWindowDependsOnRowsBeyondTheLimit() async throws {
    let world = try ValuedWorld()
    let magic = world.magic
    let (ada, bob) = (ValuedHuman("Ada", age: 30), ValuedHuman("Bob", age: 20))
    try await magic.update(ada, bob)
    let first = ValuedResults(
      magic.query(ValuedHuman.self).order { $0.rank(over: .order(by: $0.$age, .descending)) }
        .limit(1).values())
    #expect(try await first.first(1)[0].map(\.name) == ["Ada"])
    bob.age = 40
    try await magic.update(bob)
    #expect(try await first.first(2)[1].map(\.name) == ["Bob"])
  }

  @Test(.requires([.queries, .regions])) func theFirstRowsOfAPartitionDependOnItsOtherRows()
    async throws
  {
    let world = try ValuedWorld()
    let magic = world.magic
    let homes = [("Oak", 1), ("Oak", 2), ("Elm", 5)].map { ValuedHome($0.0, $0.1) }
    try await magic.update(contentsOf: homes)
    let query = magic.query(ValuedHome.self)
      .top(1) { .partition(by: $0.$street).order(by: $0.$number, .descending) }
      .order(by: \.$number)
    let (found, count) = (
      ValuedResults(query.values()), ValuedResults(query.values { try $0.count() })
    )
    let groups = ValuedResults(
      magic.query(ValuedHome.self).grouped(by: \.$street, \.$number)
        .top(1) { .partition(by: $0.key(\.$street)).order(by: $0.count, .descending) }
        .order(byKey: .ascending).select { $0.key(\.$number) * 1 }.values())
    #expect(try await found.first(1)[0].map(\.number) == [2, 5])
    #expect(try await count.first(1)[0] == 2)
    #expect(try await groups.first(1)[0].map(\.value) == [5, 1])
    // A property that decides nothing, of a row that is not in the result.
    try await world.expectsNoRead {
      try await magic.query(ValuedHome.self).where(\.$number == 1).update(set: \.$rank, to: 7)
    }
    homes[0].number = 9
    try await magic.update(homes[0])
    #expect(try await found.first(2)[1].map(\.number) == [5, 9])
    #expect(try await groups.first(2)[1].map(\.value) == [5, 2])
    homes[1].street = "Fir"
    try await magic.update(homes[1])
    #expect(try await found.first(3)[2].map(\.number) == [2, 5, 9])
    #expect(try await count.first(2)[1] == 3)
  }
}
