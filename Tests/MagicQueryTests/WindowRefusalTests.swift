import EngineConformance
import MagicQuery
import Testing

/// Windows in places where rows are not known yet.
@Suite(.everyEngine) struct WindowRefusalTests {
  private let scores: Scores

  init() throws { scores = try Scores() }

  private func expectRefusal(
    _ text: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: MagicError.self, sourceLocation: location) { try body() }
    #expect(error?.code == .invalidQuery, sourceLocation: location)
    #expect(
      error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: location)
  }

  @Test func aConditionHasNoWindow() {
    let ranked = scores.all.where { $0.rank(over: .order(by: $0.$points)) <= 2 }
    expectRefusal("in a condition") { _ = try ranked.all() }
    expectRefusal("in a condition") { _ = try ranked.count() }
    expectRefusal("in a condition") { _ = try ranked.delete() }
    expectRefusal("in a condition") { _ = try ranked.where { !($0.$points > 3) }.exists() }
    expectRefusal("in a condition") {
      _ = try scores.all.grouped(by: \.$team).having { $0.rank(over: .all) == 1 }.count()
    }
    expectRefusal("key of groups") {
      _ = try scores.all.grouped { $0.rank(over: .order(by: $0.$points)) }.count()
    }
  }

  @Test func aWriteHasNoWindow() throws {
    expectRefusal("an update") {
      _ = try scores.all.update(set: .set(\.$points, to: { $0.rank(over: .all) }))
    }
    expectRefusal("a deletion") {
      _ = try scores.all.order { $0.rank(over: .all) }.limit(1).delete()
    }
    #expect(try scores.all.count() == 7)
  }

  @Test func anAggregateASubqueryAndAWindowHaveNoWindow() throws {
    expectRefusal("in an aggregate") { _ = try scores.all.sum { $0.rank(over: .all) } }
    expectRefusal("in an aggregate") {
      _ = try scores.all.grouped(by: \.$team).sum { $0.rank(over: .all) }
    }
    expectRefusal("in an aggregate") {
      _ = try scores.all.select { $0.rank(over: .order(by: $0.rank(over: .all))) }.all()
    }
    expectRefusal("in an aggregate") {
      _ = try scores.all.select { $0.rank(over: .all).sum(over: .all) }.all()
    }
    let ranks = MagicQuery(Score.self).select { $0.rank(over: .all) }
    expectRefusal("condition") { _ = try scores.all.where { $0.$points.in(ranks) }.all() }
    expectRefusal("subquery") { _ = try scores.all.select { _ in ranks.first() }.all() }
  }

  @Test func pagesGroupsAndLimitedDistinctRowsHaveNoWindow() async throws {
    let stream = TaskReader(store: scores.test.store).query(Score.self)
      .order { $0.rank(over: .order(by: $0.$points)) }.stream()
    let error = await #expect(throws: MagicError.self) { for try await _ in stream {} }
    #expect(error?.message.contains("read in pages") == true)
    let ordered = scores.all.order { $0.rank(over: .order(by: $0.$points)) }
    expectRefusal("Order the groups") { _ = try ordered.grouped(by: \.$team).count() }
    expectRefusal("distinct()") {
      _ = try scores.all.limit(2).select { $0.rank(over: .all) }.distinct().all()
    }
  }

  @Test func wrongNumbersAreRefused() {
    expectRefusal("less than 1") {
      _ = try scores.all.select { $0.ntile(0, over: .all) }.all()
    }
    expectRefusal("lag is negative") {
      _ = try scores.all.select { $0.$points.lag(-1, over: .all) }.all()
    }
    expectRefusal("lead is negative") {
      _ = try scores.all.select { $0.$bonus.lead(-1, over: .all) }.all()
    }
  }

  @Test func onlyAKeyOfTheGroupsIsOne() {
    let groups = scores.all.grouped { $0.$points % 2 }
    expectRefusal("not grouped by") { _ = try groups.select { $0.key(\.$points) }.all() }
    expectRefusal("not grouped by") { _ = try groups.select { $0.key { $0.$points % 3 } }.all() }
    expectRefusal("not grouped by") {
      _ = try groups.having { $0.key(\.$team) == "red" }.count()
    }
  }

  @Test func aSumBeyondTheRangeOfIntegersIsAnError() throws {
    try scores.test.store.update(Score("Huge", nil, .max))
    #expect(throws: MagicError.self) {
      _ = try scores.all.select { $0.$points.sum(over: .order(by: $0.$name)) }.all()
    }
  }
}
