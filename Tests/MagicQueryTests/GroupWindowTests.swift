import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Functions over windows of groups, and keys of groups as expressions.
@Suite(.everyEngine) struct GroupWindowTests {
  private let shop: Shop
  private let scores: Scores

  init() throws {
    shop = try Shop()
    scores = try Scores()
  }

  @Test func groupsAreRankedByTheirAggregates() throws {
    let teams = try scores.all.grouped(by: \.$team).order(byKey: .ascending).select {
      (
        $0.sum(\.$points), $0.rank(over: .order(by: $0.sum(\.$points), .descending)),
        $0.sum(\.$points).sum(over: .all), $0.count.lag(over: .order(by: $0.key(\.$team))),
        $0.count(over: .all)
      )
    }
    .all()
    #expect(teams.map(\.key) == [nil, "blue", "red"])
    #expect(teams.map(\.values.0) == [1, 14, 55])
    #expect(teams.map(\.values.1) == [3, 2, 1])
    #expect(teams.map(\.values.2) == [70, 70, 70])
    #expect(teams.map(\.values.3) == [nil, 1, 2])
    #expect(teams.map(\.values.4) == [3, 3, 3])
  }

  @Test func aComputedKeyIsAPartition() throws {
    let months = try shop.orders
      .grouped { ($0.$employee, $0.$date.startOf(.month)) }
      .order(byKey: .ascending)
      .select {
        (
          $0.count,
          $0.rank(over: .partition(by: $0.key(\.$employee)).order(by: $0.count, .descending)),
          $0.count.sum(over: .partition(by: $0.key { $0.$date.startOf(.month) })),
          $0.rowNumber(over: .order(by: $0.key { $0.$date.startOf(.month) }, .descending))
        )
      }
      .all()
    #expect(months.map(\.key.0) == ["Nancy", "Nancy", "Robert", "Robert"])
    #expect(months.map(\.values.0) == [2, 1, 1, 1])
    #expect(months.map(\.values.1) == [1, 2, 1, 1])
    #expect(months.map(\.values.2) == [2, 2, 2, 1])
    #expect(months.map(\.values.3) == [4, 2, 3, 1])
  }

  @Test func aKeyIsFoundInAQueryThatWasNotBound() throws {
    let query = MagicQuery(Score.self).where { $0.$points >= 0 }.bound(to: scores.test.store)
    let groups = try query.grouped { $0.$points % 3 }.select { $0.key { $0.$points % 3 } + 0 }.all()
    #expect(!groups.isEmpty && groups.allSatisfy { $0.key == $0.value })
  }

  @Test func equalGroupsAreInTheOrderOfTheirKeys() throws {
    for part in [3, 100] {
      let groups = try scores.all.grouped { $0.$points % part }.select {
        ($0.rowNumber(over: .all), $0.key { $0.$points % part } + 0)
      }
      .all().sorted { $0.key < $1.key }
      #expect(groups.map(\.values.0) == Array(1...groups.count))
      #expect(groups.map(\.values.1) == groups.map(\.key))
    }
  }

  @Test func aKeyIsPartOfAConditionAndAnOrder() throws {
    let groups = try scores.all.grouped { $0.$points / 10 }
      .having { $0.key { $0.$points / 10 } < 2 }
      .order(.descending) { $0.key { $0.$points / 10 } * 2 }
      .count()
    #expect(groups.map(\.key) == [1, 0])
    #expect(groups.map(\.count) == [1, 4])
    let teams = try scores.all.grouped(by: \.$team, \.$bonus)
      .having { $0.key(\.$bonus) == nil }
      .select { $0.key(\.$team) }
      .all()
    #expect(Set(teams.map(\.value)) == ["red", "blue"])
  }

  @Test func groupsAreOrderedByAWindow() throws {
    let teams = try scores.all.grouped(by: \.$team)
      .order { $0.rank(over: .order(by: $0.max(\.$points), .descending)) }
      .limit(2)
      .count()
    #expect(teams.map(\.key) == ["red", "blue"])
  }

  @Test func aLimitOfRowsAppliesBeforeTheGroups() throws {
    let teams = try scores.all.order(by: \.$points, .descending).limit(3).grouped(by: \.$team)
      .select { ($0.count(over: .all), $0.count.sum(over: .all)) }
      .all()
    #expect(teams.map(\.values.0) == [1])
    #expect(teams.map(\.values.1) == [3])
    let parts = try scores.all.order(by: \.$points).limit(4).grouped { $0.$points % 5 }
      .order(byKey: .ascending)
      .select { $0.rank(over: .order(by: $0.key { $0.$points % 5 }, .descending)) }
      .all()
    #expect(parts.map(\.key) == [0, 1, 2])
    #expect(parts.map(\.value) == [3, 2, 1])
  }
}
