import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Questions about the revenue of a shop.
@Suite(.everyEngine) struct SalesQuestionTests {
  private let market: Market

  init() throws { market = try Market() }

  private var orders: MagicQuery<Order, MagicObjectStore> { market.query(Order.self) }
  private var lines: MagicQuery<OrderLine, MagicObjectStore> { market.query(OrderLine.self) }

  private var monthly: [(key: Date, value: Double)] {
    market.orders.sums(by: \.date.month, \.total).sorted { $0.key < $1.key }
  }

  @Test func revenueByCategoryAndMonth() throws {
    let revenue =
      try lines
      .grouped { ($0.$product.$category.$name, $0.$order.max { $0.month }) }
      .order(byKey: .ascending)
      .select { $0.sum { $0.total } }
      .all()
    let tea = market.orders.sums(by: \.date.month) { order in
      order.lines.filter { $0.product?.category?.name == "Tea" }.map(\.total).reduce(0, +)
    }
    let found = revenue.filter { $0.key.0 == "Tea" }
    #expect(found.map(\.key.1) == tea.filter { $0.value > 0 }.keys.sorted())
    #expect(
      found.map(\.value) == tea.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map(\.value))
    #expect(Set(revenue.map(\.key.0)) == ["Tea", "Wine", "Bread", "Cheese"])
  }

  @Test func theShareOfEachProductInTheRevenue() throws {
    let shares = try lines.grouped(by: \.$product.$name).order(.descending) { $0.sum { $0.total } }
      .select { $0.sum { $0.total } / $0.sum { $0.total }.sum(over: .all) }
      .all()
    let sums = market.lines.sums(by: { $0.product?.name }, \.total)
    let total = sums.values.reduce(0, +)
    #expect(shares.count == sums.count)
    for share in shares { #expect(isClose(share.value, (sums[share.key] ?? 0) / total)) }
    #expect(shares.map(\.value) == shares.map(\.value).sorted(by: >))
  }

  @Test func theGrowthFromMonthToMonth() throws {
    let growth = try orders.grouped { $0.month }
      .order(byKey: .ascending)
      .select {
        let before = $0.sum { $0.total }.lag(over: .order(by: $0.key { $0.month }))
        return ($0.sum { $0.total }, ($0.sum { $0.total } - before) / before)
      }
      .all()
    #expect(growth.map(\.key) == monthly.map(\.key))
    #expect(growth.map(\.values.0) == monthly.map(\.value))
    for (index, month) in growth.enumerated() {
      let before = index == 0 ? nil : monthly[index - 1].value
      #expect(isClose(month.values.1, before.map { (monthly[index].value - $0) / $0 }))
    }
  }

  @Test func theGrowthFromTheSameMonthOfThePreviousYear() throws {
    let growth = try orders.grouped { ($0.$date.month, $0.$date.year) }
      .order(byKey: .ascending)
      .select {
        $0.sum { $0.total }
          - $0.sum { $0.total }.lag(
            over: .partition(by: $0.key { $0.$date.month }).order(by: $0.key { $0.$date.year }))
      }
      .all()
    let sums = market.orders.sums(by: \.date.month, \.total)
    for month in growth {
      let start = calendar.date(from: DateComponents(year: month.key.1, month: month.key.0))
      let before = calendar.date(from: DateComponents(year: month.key.1 - 1, month: month.key.0))
      let difference = before.flatMap { sums[$0] }.map { (start.flatMap { sums[$0] } ?? 0) - $0 }
      #expect(month.value == difference)
    }
    #expect(growth.filter { $0.value != nil }.count == 12)
  }

  @Test func theAverageOfThreeMonths() throws {
    let averages = try orders.grouped { $0.month }
      .order(byKey: .ascending)
      .select { $0.sum { $0.total }.average(over: .order(by: $0.key { $0.month }).rows(-2...0)) }
      .all()
    for (index, average) in averages.enumerated() {
      let values = monthly[Swift.max(0, index - 2)...index].map(\.value)
      #expect(isClose(average.value, values.reduce(0, +) / Double(values.count)))
    }
  }

  @Test func theRunningTotalOfACustomerAndOfEachYear() throws {
    let history = try orders.where(\.$customer.$name == "Ada").order(by: \.$date)
      .select {
        (
          $0.total.sum(over: .order(by: $0.$date)),
          $0.total.sum(over: .partition(by: $0.$date.year).order(by: $0.$date))
        )
      }
      .all()
    var (total, year, expected) = (0.0, 0.0, [(Double, Double)]())
    for (index, order) in market.orders(of: market.customers[0]).enumerated() {
      total += order.total
      let last = index == 0 ? nil : market.orders(of: market.customers[0])[index - 1].date.year
      year = last == order.date.year ? year + order.total : order.total
      expected.append((total, year))
    }
    #expect(history.map(\.0) == expected.map(\.0))
    #expect(history.map(\.1) == expected.map(\.1))
    #expect(history.count > 4)
  }

  @Test func theBestMonthOfEachEmployee() throws {
    let best = try orders.grouped { ($0.$employee.$name, $0.month) }
      .top(1) {
        .partition(by: $0.key(\.$employee.$name)).order(by: $0.sum { $0.total }, .descending)
      }
      .order(byKey: .ascending)
      .select { $0.sum { $0.total } }
      .all()
    let names = market.employees.map(\.name).sorted()
    #expect(best.map(\.key.0) == names)
    for (row, name) in zip(best, names) {
      let sums = market.orders.filter { $0.employee?.name == name }.sums(by: \.date.month, \.total)
      #expect(row.value == sums.values.max())
      #expect(sums[row.key.1] == row.value)
    }
  }

  @Test func theTopThreeProductsOfEachCategory() throws {
    let top = try lines.grouped { ($0.$product.$category.$name, $0.$product.$name) }
      .top(3) {
        .partition(by: $0.key(\.$product.$category.$name))
          .order(by: $0.sum { $0.total }, .descending)
      }
      .order(byKey: .ascending)
      .count()
    var expected: [String] = []
    for category in ["Bread", "Cheese", "Tea", "Wine"] {
      let sums = market.lines.filter { $0.product?.category?.name == category }
        .sums(by: { $0.product?.name ?? "" }, \.total)
      expected += sums.sorted { $0.value > $1.value }.prefix(3).map(\.key).sorted()
    }
    #expect(top.map(\.key.1) == expected)
  }

  @Test func theProductsInClassesABAndC() throws {
    let classes = try lines.grouped(by: \.$product.$name)
      .order(.descending) { $0.sum { $0.total } }
      .select {
        let running = $0.sum { $0.total }.sum(over: .order(by: $0.sum { $0.total }, .descending))
        let share = running / $0.sum { $0.total }.sum(over: .all)
        return MagicExpression.when(
          share <= 0.5, then: "A", else: .when(share <= 0.8, then: "B", else: "C"))
      }
      .all()
    let sums = market.lines.sums(by: { $0.product?.name }, \.total).sorted { $0.value > $1.value }
    let total = sums.map(\.value).reduce(0, +)
    var (running, expected) = (0.0, [String]())
    for sum in sums {
      running += sum.value
      expected.append(running / total <= 0.5 ? "A" : running / total <= 0.8 ? "B" : "C")
    }
    #expect(classes.map(\.key) == sums.map(\.key))
    #expect(classes.map(\.value) == expected)
    #expect(Set(expected) == ["A", "B", "C"])
  }

  @Test func theRevenueByBandOfDiscounts() throws {
    // The compiler checks two short expressions faster than one long one.
    let groups = lines.grouped {
      MagicExpression.when(
        $0.$discount == 0, then: "none",
        else: .when($0.$discount < 0.3, then: "low", else: "high"))
    }
    let bands = try groups.order(byKey: .ascending)
      .select {
        (
          $0.count, $0.sum { $0.total },
          $0.sum { $0.$price * $0.$quantity.as(Double.self) * $0.$discount }
        )
      }
      .all()
    func band(_ line: OrderLine) -> String {
      line.discount == 0 ? "none" : line.discount < 0.3 ? "low" : "high"
    }
    let sums = market.lines.sums(by: band, \.total)
    let given = market.lines.sums(by: band, \.reduction)
    #expect(bands.map(\.key) == ["high", "low", "none"])
    #expect(
      bands.map(\.values.0)
        == bands.map { row in market.lines.filter { band($0) == row.key }.count })
    #expect(bands.map(\.values.1) == bands.map { sums[$0.key] })
    #expect(bands.map(\.values.2) == bands.map { given[$0.key] })
  }

  @Test func theYearsOfEachEmployeeSideBySide() throws {
    let years = try orders.grouped(by: \.$employee.$name).order(byKey: .ascending)
      .select {
        (
          $0.sum { .when($0.$date.year == 2023, then: $0.total, else: 0) },
          $0.sum { .when($0.$date.year == 2024, then: $0.total, else: 0) }
        )
      }
      .all()
    func sums(_ year: Int) -> [String?: Double] {
      market.orders.filter { $0.date.year == year }.sums(by: { $0.employee?.name }, \.total)
    }
    #expect(years.map(\.values.0) == years.map { sums(2023)[$0.key] ?? 0 })
    #expect(years.map(\.values.1) == years.map { sums(2024)[$0.key] ?? 0 })
    #expect(years.count == market.employees.count)
  }

  @Test func theMedianOfTheOrders() throws {
    // The middle values are selected: two if the number of orders is even.
    let count = try orders.count()
    let middle = try orders.order { $0.total }
      .limit(2 - count % 2).offset((count - 1) / 2)
      .select { $0.total }
      .all()
    let totals = market.orders.map(\.total).sorted()
    #expect(count == 150)
    #expect(middle == [totals[74], totals[75]])
  }

  @Test func theBusiestWeekdaysAndHours() throws {
    let days = try orders.grouped { $0.$date.weekday }.order(.descending) { $0.count }
      .order(byKey: .ascending).limit(2).count()
    let counts = market.orders.sums(by: { calendar.component(.weekday, from: $0.date) }) { _ in 1 }
    let expected = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2)
    #expect(days.map(\.key) == expected.map(\.key))
    #expect(days.map(\.count) == expected.map(\.value))
    let mornings = try orders.where { $0.$date.hour.in(8..<12) }.count()
    let hours = market.orders.map { calendar.component(.hour, from: $0.date) }
    #expect(mornings == hours.filter { $0 < 12 }.count)
  }
}
