import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Questions about the customers of a shop.
@Suite(.everyEngine) struct CustomerQuestionTests {
  private let market: Market

  init() throws { market = try Market() }

  private var orders: MagicQuery<Order, MagicObjectStore> { market.query(Order.self) }
  private var customers: MagicQuery<Customer, MagicObjectStore> { market.query(Customer.self) }

  private func names(_ isIncluded: (Customer) -> Bool) -> [String] {
    market.customers.filter(isIncluded).map(\.name).sorted()
  }

  private func orders(of name: String?) -> [Order] {
    market.orders.filter { $0.customer?.name == name }
  }

  private func total(of name: String) -> Double { orders(of: name).map(\.total).reduce(0, +) }

  @Test func theCustomersWithoutOrdersIn90Days() throws {
    let day = market.today - 90 * 86_400
    let lost = try customers.where { $0.$orders.none { $0.$date >= day } }
      .order(by: \.$name).select(\.$name).all()
    #expect(lost == names { market.orders(of: $0).allSatisfy { $0.date < day } })
    #expect(lost.count > 2 && lost.contains("Otto"))
  }

  @Test func theRateOfRepeatedPurchases() throws {
    let rate = try customers.where { !$0.$orders.isEmpty }
      .average { .when($0.$orders.count > 1, then: 1.0, else: 0) }
    let counts = market.customers.map { market.orders(of: $0).count }.filter { $0 > 0 }
    #expect(isClose(rate, Double(counts.filter { $0 > 1 }.count) / Double(counts.count)))
    #expect(counts.count == 15)
  }

  @Test func theAverageDaysBetweenTheOrdersOfACustomer() throws {
    let days = try orders.grouped(by: \.$customer.$name).having { $0.count > 1 }
      .order(byKey: .ascending)
      .select {
        let days = $0.max(\.$date).timeIntervalSince($0.min(\.$date)) / 86_400
        return days / ($0.count - 1).as(Double.self)
      }
      .all()
    #expect(days.map(\.key) == names { market.orders(of: $0).count > 1 })
    for row in days {
      let dates = orders(of: row.key).map(\.date)
      let gaps = zip(dates, dates.dropFirst()).map { $1.timeIntervalSince($0) / 86_400 }
      #expect(isClose(row.value, gaps.reduce(0, +) / Double(gaps.count)))
    }
  }

  @Test func theDaysSinceThePreviousOrder() throws {
    let gaps = try orders.order(by: \.$number)
      .select {
        $0.$date.timeIntervalSince(
          $0.$date.lag(over: .partition(by: $0.$customer.$name).order(by: $0.$date))) / 86_400
      }
      .all()
    #expect(gaps.count == market.orders.count)
    for (gap, order) in zip(gaps, market.orders) {
      let earlier = orders(of: order.customer?.name).filter { $0.date < order.date }.last
      #expect(isClose(gap, earlier.map { order.date.timeIntervalSince($0.date) / 86_400 }))
    }
  }

  @Test func theMostRecentOrderOfEachCustomer() throws {
    let latest =
      try orders
      .top(1) { .partition(by: $0.$customer).order(by: $0.$date, .descending) }
      .order(by: \.$customer.$name)
      .all()
    let expected = names { !market.orders(of: $0).isEmpty }
    #expect(latest.map(\.customer?.name) == expected)
    #expect(latest.map(\.number) == expected.map { orders(of: $0).last?.number })
  }

  @Test func theCustomersOfBothYearsOfEitherAndOfOne() throws {
    func active(in year: Int) -> MagicQuery<Customer, MagicUnbound> {
      MagicQuery(Customer.self).where { $0.$orders.contains { $0.$date.year == year } }
    }
    func found(_ query: MagicQuery<Customer, MagicUnbound>) throws -> [String] {
      try query.order(by: \.$name).bound(to: market.store).select(\.$name).all()
    }
    func has(_ customer: Customer, _ year: Int) -> Bool {
      market.orders(of: customer).contains { $0.date.year == year }
    }
    let (first, second) = (active(in: 2023), active(in: 2024))
    #expect(try found(first.intersect(second)) == names { has($0, 2023) && has($0, 2024) })
    #expect(try found(first.union(second)) == names { has($0, 2023) || has($0, 2024) })
    #expect(try found(first.except(second)) == names { has($0, 2023) && !has($0, 2024) })
    #expect(try !found(first.except(second)).isEmpty)
  }

  @Test func theCustomersByTheMonthOfTheirFirstOrder() throws {
    let cohorts = try customers.grouped { $0.$orders.min { $0.month } }.order(byKey: .ascending)
      .count()
    let firsts = market.customers.map { market.orders(of: $0).first?.date.month }
    let counts = Dictionary(firsts.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(cohorts.map(\.count) == cohorts.map { counts[$0.key] })
    #expect(cohorts.count == counts.count)
    #expect(cohorts.first?.key == .some(nil))
  }

  @Test func theCustomersOfACohortWhoOrderInEachLaterMonth() throws {
    let active =
      try orders
      .grouped { ($0.$customer.$orders.min { $0.month }, $0.month) }
      .order(byKey: .ascending)
      .select { $0.count(distinct: \.$customer.$name) }
      .all()
    var expected: [[Date?]: Set<String>] = [:]
    for order in market.orders {
      let first = orders(of: order.customer?.name).first?.date.month
      expected[[first, order.date.month], default: []].insert(order.customer?.name ?? "")
    }
    #expect(active.count == expected.count)
    #expect(active.map(\.value) == active.map { expected[[$0.key.0, $0.key.1]]?.count })
  }

  @Test func theCustomersWhoSpendMoreThanTheAverage() throws {
    let all = MagicQuery(Customer.self)
    let best =
      try customers
      .where { $0.$orders.sum { $0.total } > all.average { $0.$orders.sum { $0.total } } }
      .order(by: \.$name).select(\.$name).all()
    let totals = market.customers.map { total(of: $0.name) }
    let average = totals.reduce(0, +) / Double(totals.count)
    #expect(best == names { total(of: $0.name) > average })
    #expect(best.count > 3 && best.count < 13)
  }

  @Test func theBestCustomerOfEachCity() throws {
    let best =
      try customers
      .top(1) { .partition(by: $0.$city).order(by: $0.$orders.sum { $0.total }, .descending) }
      .order(by: \.$city).select { ($0.$city, $0.$name) }
      .all()
    let cities = Set(market.customers.map(\.city)).sorted()
    #expect(best.map(\.0) == cities)
    #expect(
      best.map(\.1)
        == cities.map { city in
          market.customers.filter { $0.city == city }.max {
            total(of: $0.name) < total(of: $1.name)
          }?.name
        })
  }

  @Test func theNamesWithATextInAnyCase() throws {
    let found = try customers.where { $0.$name.lowercased().contains("jör") }
      .order(by: \.$name).select(\.$name).all()
    #expect(found == ["JÖRDIS", "Jörg"])
  }

  @Test func theCustomersProductsAndCitiesOfEachMonth() throws {
    let counts = try orders.grouped { $0.month }.order(byKey: .ascending)
      .select { ($0.count(distinct: \.$customer), $0.count(distinct: \.$customer.$city)) }
      .all()
    let months = Dictionary(grouping: market.orders, by: \.date.month)
    #expect(counts.map(\.key) == months.keys.sorted())
    #expect(
      counts.map(\.values.0)
        == counts.map { Set((months[$0.key] ?? []).map { $0.customer?.name }).count })
    #expect(
      counts.map(\.values.1)
        == counts.map { Set((months[$0.key] ?? []).map { $0.customer?.city }).count })
  }

  @Test func theCustomersWhoBoughtEveryTea() throws {
    let teas = MagicQuery(Product.self).where(\.$category.$name == "Tea")
    let lines = MagicQuery(OrderLine.self)
    let faithful =
      try customers
      .where { customer in
        !teas.exists { tea in
          !lines.exists { $0.$product == tea && $0.$order.contains { $0.$customer == customer } }
        }
      }
      .order(by: \.$name).select(\.$name).all()
    let all = Set(market.products.filter { $0.category?.name == "Tea" }.map(\.name))
    #expect(
      faithful
        == names { customer in
          all.isSubset(
            of: market.orders(of: customer).flatMap(\.lines).compactMap { $0.product?.name })
        })
    #expect(!faithful.isEmpty)
  }

  @Test func thePagesOfTheOrdersFromTheLatest() throws {
    let latest = orders.order(by: \.$date, .descending)
    var (numbers, page) = ([Int](), try latest.page(limit: 40))
    numbers += page.objects.map(\.number)
    while let next = page.next {
      page = try latest.page(after: next, limit: 40)
      numbers += page.objects.map(\.number)
    }
    #expect(numbers == market.orders.map(\.number).reversed())
    #expect(try latest.page(before: page.previous, limit: 1).objects.map(\.number) == [31])
  }
}
