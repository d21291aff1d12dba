import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Questions about the shippers and employees of a shop.
@Suite(.everyEngine) struct DeliveryQuestionTests {
  private let market: Market

  init() throws { market = try Market() }

  private var orders: MagicQuery<Order, MagicObjectStore> { market.query(Order.self) }

  private var shippers: [String: [Order]] {
    Dictionary(grouping: market.orders.filter { $0.shipped != nil }, by: \.shipper)
  }

  @Test func theLateShipmentsOfEachShipper() throws {
    let late = try orders.where { $0.$shipped > $0.$due }.grouped(by: \.$shipper)
      .order(byKey: .ascending).count()
    func isLate(_ order: Order) -> Bool { order.shipped.map { $0 > order.due } ?? false }
    #expect(late.map(\.key) == ["Quick", "Steady", "Union"])
    #expect(late.map(\.count) == late.map { shippers[$0.key]?.filter(isLate).count })
  }

  @Test func thePunctualityAndTheDaysOfEachShipper() throws {
    let rates = try orders.where(\.$shipped != nil).grouped(by: \.$shipper)
      .order(byKey: .ascending)
      .select {
        (
          $0.average { .when($0.$shipped <= $0.$due, then: 1.0, else: 0) },
          $0.average { $0.$shipped.timeIntervalSince($0.$date) / 86_400 }
        )
      }
      .all()
    #expect(rates.count == 3)
    for rate in rates {
      let shipped = shippers[rate.key] ?? []
      let onTime = shipped.filter { $0.shipped ?? .distantFuture <= $0.due }
      let days = shipped.map { ($0.shipped?.timeIntervalSince($0.date) ?? 0) / 86_400 }
      #expect(isClose(rate.values.0, Double(onTime.count) / Double(shipped.count)))
      #expect(isClose(rate.values.1, days.reduce(0, +) / Double(days.count)))
    }
  }

  @Test func theOrdersThatWaitTooLong() throws {
    let today = market.today
    let waiting =
      try orders
      .where { $0.$shipped == nil && $0.$due < today }
      .order(by: \.$due)
      .select {
        (
          $0.$number, $0.$customer.$name ?? "",
          ($0.$due.timeIntervalSince(today) / -86_400).as(Int.self)
        )
      }
      .all()
    let expected = market.orders.filter { $0.shipped == nil && $0.due < today }
    #expect(waiting.map(\.0) == expected.map(\.number))
    #expect(waiting.map(\.1) == expected.map { $0.customer?.name })
    #expect(waiting.map(\.2) == expected.map { Int(today.timeIntervalSince($0.due) / 86_400) })
    #expect(waiting.count > 10)
  }

  @Test func theEmployeesUnderAManagerAndWhatTheySell() throws {
    let team = try market.query(Employee.self)
      .descendants(of: market.employees[1], by: \.$reports)
      .order { $0.depth }.order(by: \.$name)
      .select { ($0.$name, $0.depth, $0.$orders.sum { $0.total }) }
      .all()
    let sums = market.orders.sums(by: { $0.employee?.name }, \.total)
    #expect(team.map(\.0) == ["Cid", "Dan", "Emma"])
    #expect(team.map(\.1) == [1, 1, 2])
    #expect(team.map(\.2) == ["Cid", "Dan", "Emma"].map { sums[$0] })
  }

  @Test func theRevenueOfEachTeam() throws {
    let managers = try market.query(Employee.self).where { !$0.$reports.isEmpty }
      .order(by: \.$name).all()
    let revenue = try managers.map { manager in
      let team = MagicQuery(Employee.self)
        .descendants(of: manager, by: \.$manager, includingStart: true)
      return try orders.where { $0.$employee.in(team) }.sum { $0.total }
    }
    let sums = market.orders.sums(by: { $0.employee?.name ?? "" }, \.total)
    func total(_ names: [String]) -> Double { names.compactMap { sums[$0] }.reduce(0, +) }
    #expect(managers.map(\.name) == ["Ann", "Cid", "Nancy"])
    #expect(
      revenue == [
        total(["Ann", "Cid", "Dan", "Emma"]), total(["Cid", "Emma"]),
        market.orders.map(\.total).reduce(0, +),
      ])
  }

  @Test func theRankOfEachEmployeeInEachYear() throws {
    let ranks = try orders.grouped { ($0.$date.year, $0.$employee.$name) }
      .order(byKey: .ascending)
      .select {
        $0.rank(
          over: .partition(by: $0.key { $0.$date.year }).order(by: $0.sum { $0.total }, .descending)
        )
      }
      .all()
    #expect(ranks.count == 12)
    for rank in ranks {
      let sums = market.orders.filter { $0.date.year == rank.key.0 }
        .sums(by: { $0.employee?.name }, \.total)
      let better = sums.filter { $0.value > sums[rank.key.1] ?? 0 }
      #expect(rank.value == better.count + 1)
    }
  }

  @Test func theLargestOrderOfEachEmployee() throws {
    let largest =
      try orders
      .top(1) { .partition(by: $0.$employee.$name).order(by: $0.total, .descending) }
      .order(.descending) { $0.total }
      .select(into: { (name: $0, number: $1, total: $2) }) {
        ($0.$employee.$name, $0.$number, $0.total)
      }
      .all()
    let best = Dictionary(grouping: market.orders, by: { $0.employee?.name })
      .compactMapValues { $0.max { $0.total < $1.total } }
    #expect(largest.count == 6)
    #expect(largest.map(\.total) == best.values.map(\.total).sorted(by: >))
    #expect(largest.map(\.number) == largest.map { best[$0.name]?.number })
  }
}
