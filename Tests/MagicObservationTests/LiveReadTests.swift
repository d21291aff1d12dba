import MagicData
import MagicStore
import Testing

private struct Street: Decodable, Equatable, Sendable {
  let street: String
  let homes: Int
}

/// Reads of queries and statements that are followed.
@Suite(.timeLimit(.minutes(5))) struct LiveReadTests {
  private let world: ValuedWorld
  private var magic: MagicData { world.magic }

  init() throws { world = try ValuedWorld() }

  @Test func aCountIsFollowed() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Elm", 2)])
    let count = ValuedResults(
      magic.query(ValuedHome.self).where(\.$number > 1).values { try $0.count() })
    #expect(try await count.first(1) == [1])
    try await magic.update(ValuedHome("Ash", 3))
    #expect(try await count.first(2) == [1, 2])
    // A change that does not affect the count yields no result.
    try await magic.query(ValuedHome.self).where(\.$number == 3).update(set: \.$number += 1)
    try await magic.query(ValuedHome.self).where(\.$number == 2).delete()
    #expect(try await count.first(3) == [1, 2, 1])
  }

  @Test func aggregatesFirstAndExistsAreFollowed() async throws {
    let homes = magic.query(ValuedHome.self)
    let sum = ValuedResults(homes.values { try $0.sum(\.$number) })
    let exists = ValuedResults(homes.values { try $0.exists() })
    let first = ValuedResults(
      homes.values { try $0.order(by: \.$number, .descending).first()?.street })
    #expect(try await sum.first(1) == [0])
    #expect(try await exists.first(1) == [false])
    #expect(try await first.first(1) == [nil])
    try await magic.update(ValuedHome("Oak", 5))
    #expect(try await sum.first(2)[1] == 5)
    #expect(try await exists.first(2)[1] == true)
    #expect(try await first.first(2)[1] == "Oak")
  }

  @Test func groupsAndSelectionsAreFollowed() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 1), ValuedHome("Oak", 2)])
    let groups = ValuedResults(
      magic.query(ValuedHome.self).grouped(by: \.$street).values {
        try $0.count().map { "\($0.key) \($0.count)" }
      })
    let streets = ValuedResults(
      magic.query(ValuedHome.self).select(\.$street).distinct().values { try $0.count() })
    #expect(try await groups.first(1) == [["Oak 2"]])
    #expect(try await streets.first(1) == [1])
    try await magic.update(ValuedHome("Elm", 1))
    #expect(try await groups.first(2)[1].sorted() == ["Elm 1", "Oak 2"])
    #expect(try await streets.first(2)[1] == 2)
  }

  @Test func statementsAreFollowed() async throws {
    try await magic.update(ValuedHome("Oak", 1))
    let largest = ValuedResults(
      magic.sql("SELECT max(number) FROM ValuedHome WHERE number < :limit").bind("limit", to: 100)
        .values { try $0.value(Int.self) })
    let rows = ValuedResults(
      magic.sql("SELECT street, count(*) AS homes FROM ValuedHome GROUP BY street ORDER BY 1")
        .values(as: Street.self))
    #expect(try await largest.first(1) == [1])
    #expect(try await rows.first(1) == [[Street(street: "Oak", homes: 1)]])
    try await magic.update(ValuedHome("Elm", 7))
    #expect(try await largest.first(2)[1] == 7)
    #expect(try await rows.first(2)[1].map(\.street) == ["Elm", "Oak"])
  }

  @Test func aConditionInSQLIsFollowed() async throws {
    try await magic.update(ValuedHome("Oak", 1))
    let odd = ValuedResults(
      magic.query(ValuedHome.self).where(.sql("number % \(2) = 1")).values { try $0.count() })
    #expect(try await odd.first(1) == [1])
    try await magic.query(ValuedHome.self).update(set: .set(\.$number, to: 2))
    #expect(try await odd.first(2)[1] == 0)
  }

  @Test func sectionsAreFollowed() async throws {
    try await magic.update(contentsOf: [ValuedHome("Oak", 2), ValuedHome("Oak", 1)])
    let sections = magic.query(ValuedHome.self).order(by: \.$number).sectioned(by: \.$street)
    let all = ValuedResults(sections.values())
    let counts = ValuedResults(sections.values { try $0.count().map(\.count) })
    #expect(try await all.first(1)[0].map(\.key) == ["Oak"])
    #expect(try await all.first(1)[0][0].objects.map(\.number) == [1, 2])
    #expect(try await counts.first(1) == [[2]])
    try await magic.update(ValuedHome("Elm", 3))
    #expect(try await all.first(2)[1].map(\.key) == ["Elm", "Oak"])
    #expect(try await counts.first(2)[1] == [1, 2])
  }

  @Test func theErrorOfTheReadIsThrown() async throws {
    let values = magic.query(ValuedHome.self).limit(-1).values { try $0.count() }
    var iterator = values.makeAsyncIterator()
    await #expect(throws: MagicError.self) { try await iterator.next() }
  }
}
