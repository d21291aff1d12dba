import EngineConformance
import Foundation
import MagicQuery
import Testing

/// The first rows of each partition.
@Suite(.everyEngine) struct TopTests {
  private let scores: Scores
  private let shop: Shop

  init() throws {
    scores = try Scores()
    shop = try Shop()
  }

  private var best: MagicQuery<Score, MagicObjectStore> {
    scores.all.top(1) { .partition(by: $0.$team).order(by: $0.$points, .descending) }
  }

  @Test func theFirstRowsOfEachPartitionAreFound() throws {
    #expect(try best.order(by: \.$name).all().map(\.name) == ["Ben", "Eve", "Gus"])
    let two = scores.all.top(2) { .partition(by: $0.$team).order(by: $0.$points) }
    #expect(try two.order(by: \.$name).all().map(\.name) == ["Ada", "Dora", "Eve", "Finn", "Gus"])
    #expect(try scores.all.top(0) { .partition(by: $0.$team) }.count() == 0)
    #expect(try scores.all.top(9) { .partition(by: $0.$team) }.count() == 7)
  }

  @Test func aWindowWithoutPartitionIsOnePartition() throws {
    let top = scores.all.top(2) { .order(by: $0.$bonus, .descending) }
    #expect(try top.order(by: \.$name).all().map(\.name) == ["Ben", "Gus"])
    #expect(try scores.all.top(3) { _ in .all }.order(by: \.$name).all().map(\.name).last == "Cleo")
  }

  @Test func conditionsBeforeRestrictTheRowsAndConditionsAfterTheResult() throws {
    let before = scores.all.where { $0.$points < 20 }
      .top(1) { .partition(by: $0.$team).order(by: $0.$points, .descending) }
    #expect(try before.order(by: \.$name).all().map(\.name) == ["Ada", "Eve", "Gus"])
    #expect(
      try best.where { $0.$points < 20 }.order { $0.$name }.all().map(\.name) == ["Eve", "Gus"])
    let twice = scores.all
      .top(2) { .partition(by: $0.$team).order(by: $0.$points, .descending) }
      .where { $0.$name != "Ben" }
      .top(1) { .partition(by: $0.$team).order(by: $0.$name, .descending) }
    #expect(try twice.order(by: \.$name).all().map(\.name) == ["Cleo", "Finn", "Gus"])
  }

  @Test func theOtherCallsOfAQueryUseTheResult() throws {
    #expect(try best.count() == 3)
    #expect(try best.exists())
    #expect(try best.sum(\.$points) == 28)
    #expect(try best.order(by: \.$points).limit(2).offset(1).all().map(\.name) == ["Eve", "Ben"])
    #expect(try best.order(by: \.$points).first()?.name == "Gus")
    #expect(try best.order(by: \.$points).select { $0.$points * 2 }.all() == [2, 14, 40])
    #expect(try best.select { $0.count(over: .all) }.all() == [3, 3, 3])
    #expect(try best.order(by: \.$points).limit(2).grouped(by: \.$team).count().count == 2)
    #expect(
      try best.grouped { $0.$points % 10 }.order(byKey: .ascending).count().map(\.key) == [0, 1, 7])
    #expect(try best.sectioned(by: \.$team).all().map(\.key) == [nil, "blue", "red"])
  }

  @Test func aWriteChangesTheResultOnly() throws {
    #expect(try best.update(set: \.$bonus += 100) == 3)
    let updated = scores.all.where { $0.$bonus > 99 }.order(by: \.$name)
    #expect(try updated.all().map(\.name) == ["Ben", "Eve", "Gus"])
    #expect(try best.update(set: .set(\.$points, to: 0)) == 3)
    #expect(try best.order(by: \.$name).all().map(\.name) == ["Cleo", "Finn", "Gus"])
    #expect(try best.delete() == 3)
    #expect(try scores.all.order(by: \.$name).all().map(\.name) == ["Ada", "Ben", "Dora", "Eve"])
  }

  @Test func valuesInAllPartsAreBoundInTheirOrder() throws {
    for (low, factor, count) in [(1, 2, 1), (5, 3, 2)] {
      let rows = try scores.all.where { $0.$points > low }
        .top(count) { .partition(by: $0.$points % factor).order(by: $0.$points * factor + low) }
        .where { $0.$points < 100 }
        .order { $0.$points - factor }.order(by: \.$name)
        .select { ($0.$name, $0.$points + low) }
        .all()
      let values = ["Ada": 10, "Ben": 20, "Cleo": 20, "Dora": 5, "Eve": 7, "Finn": 7, "Gus": 1]
      let found = values.filter { $0.value > low }
      var expected: [(key: String, value: Int)] = []
      for part in Dictionary(grouping: found, by: { $0.value % factor }).values {
        expected += part.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(count)
      }
      expected.sort { ($0.value, $0.key) < ($1.value, $1.key) }
      #expect(rows.map(\.0) == expected.map(\.key))
      #expect(rows.map(\.1) == expected.map { $0.value + low })
    }
  }

  @Test func aTopIsASubqueryAndReachesOtherRows() throws {
    let top = MagicQuery(Score.self)
      .where { $0.$points < 20 }
      .top(1) { .partition(by: $0.$team).order(by: $0.$points, .descending) }
    let names = try scores.all.where { $0.$name.in(top.select(\.$name)) }.order(by: \.$name).all()
    #expect(names.map(\.name) == ["Ada", "Eve", "Gus"])
    #expect(try top.bound(to: scores.test.store).where { $0.$points > 5 }.count() == 2)
    let rivals = try scores.all.where { $0.$rival.in(top) }.all()
    #expect(rivals.map(\.name) == ["Ada"])
    let correlated = try scores.byID.select { row in
      MagicQuery(Score.self).where { $0.$team == row.$team }
        .top(1) { .order(by: $0.$points) }.select(\.$name).first()
    }.all()
    #expect(correlated == ["Dora", "Dora", "Dora", "Dora", "Eve", "Eve", "Gus"])
    let byRival = scores.all.top(1) { .partition(by: $0.$rival.$team).order(by: $0.$rival.$name) }
    #expect(try byRival.order(by: \.$name).all().map(\.name) == ["Ada", "Cleo"])
    let members = shop.orders
      .where { $0.$lines.contains { $0.$quantity > 1 } }
      .top(1) {
        .partition(by: $0.$employee).order(by: $0.$lines.sum { $0.$quantity }, .descending)
      }
    #expect(try members.order(by: \.$employee).all().map(\.customer) == ["Ben", "Ben"])
  }

  @Test func aResultIsReadInPages() async throws {
    var names: [String] = []
    let query = TaskReader(store: scores.test.store).query(Score.self)
      .top(1) { .partition(by: $0.$team).order(by: $0.$points, .descending) }
    for try await score in query.order(by: \.$name).stream() { names.append(score.name) }
    #expect(names == ["Ben", "Eve", "Gus"])
  }

  @Test func tiesInAQueryOfGroupsAreThoseOfRows() throws {
    // The keys of the groups are not the orders of the rows that are numbered before.
    let groups = try scores.all.top(1) { .partition(by: $0.$points) }
      .grouped { $0.$points % 5 }.order(byKey: .ascending)
      .select { $0.joined(\.$name, separator: ",") }.all()
    #expect(groups.map(\.key) == [0, 1, 2])
    #expect(
      groups.map { ($0.value ?? "").split(separator: ",").sorted() }
        == [["Ada", "Ben", "Dora"], ["Gus"], ["Eve"]])
  }

  @Test func theFirstGroupsOfEachPartitionAreFound() throws {
    // The best month of each employee.
    let months = try shop.orders
      .grouped { ($0.$employee, $0.$date.startOf(.month)) }
      .top(1) {
        .partition(by: $0.key(\.$employee))
          .order(by: $0.sum { $0.$lines.sum { $0.$price } }, .descending)
      }
      .order(byKey: .ascending)
      .select { $0.sum { $0.$lines.sum { $0.$price } } }
      .all()
    #expect(months.map(\.key.0) == ["Nancy", "Robert"])
    #expect(months.map(\.key.1) == [day("2024-01-01"), day("2025-02-01")])
    #expect(months.map(\.value) == [24.5, 4.5])
  }

  @Test func groupsHaveConditionsOrdersAndLimitsWithTop() throws {
    for (low, part) in [(0, 10), (4, 7)] {
      let groups = scores.all.where { $0.$points > low }
        .grouped { ($0.$team, $0.$points % part) }
        .having { $0.count < part }
        .top(1) {
          .partition(by: $0.key(\.$team)).order(
            by: $0.key { $0.$points % part } * part, .descending)
        }
        .order(.descending) { $0.max(\.$points) + part }
      let rows = groups.select { ($0.count, $0.count(over: .all), $0.sum { $0.$points + low }) }
      #expect(try rows.count() == (low == 0 ? 3 : 2))
      #expect(try rows.all().map(\.key.0) == (low == 0 ? ["blue", "red", nil] : ["red", "blue"]))
      #expect(try rows.all().map(\.values.0) == (low == 0 ? [2, 1, 1] : [2, 2]))
      #expect(try rows.all().map(\.values.1) == (low == 0 ? [4, 4, 4] : [4, 4]))
      #expect(try rows.all().map(\.values.2) == (low == 0 ? [14, 5, 1] : [48, 22]))
      #expect(try groups.limit(1).count().map(\.count) == [2])
      #expect(try rows.first()?.key.0 == (low == 0 ? "blue" : "red"))
    }
    #expect(try scores.all.grouped(by: \.$team).top(0) { _ in .all }.count().isEmpty)
    let both = try best.grouped(by: \.$team).top(2) { .order(by: $0.key(\.$team)) }
      .order(byKey: .descending).count()
    #expect(both.map(\.key) == ["blue", nil])
  }

  @Test func wrongTopsAreRefused() throws {
    func expectRefusal(_ text: String, _ body: () throws -> Void) {
      let error = #expect(throws: MagicError.self) { try body() }
      #expect(error?.code == .invalidQuery)
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }
    expectRefusal("negative") { _ = try scores.all.top(-1) { _ in .all }.all() }
    expectRefusal("negative") {
      _ = try scores.all.grouped(by: \.$team).top(-1) { _ in .all }.count()
    }
    expectRefusal("has a frame") {
      _ = try scores.all.top(1) { .order(by: $0.$points).rows(-1...0) }.all()
    }
    expectRefusal("window function") {
      _ = try scores.all.top(1) { .order(by: $0.rank(over: .all)) }.all()
    }
    expectRefusal("another window") {
      _ = try scores.all.grouped(by: \.$team).top(1) { .order(by: $0.rank(over: .all)) }.count()
    }
    expectRefusal("have a limit") {
      _ = try scores.all.limit(3).grouped(by: \.$team).top(1) { _ in .all }.count()
    }
    expectRefusal("not grouped by") {
      _ = try scores.all.grouped(by: \.$team).top(1) { .order(by: $0.key(\.$name)) }.count()
    }
  }
}
