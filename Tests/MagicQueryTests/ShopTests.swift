import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

/// The questions that every shop asks.
@Suite(.everyEngine) struct ShopTests {
  private let shop: Shop

  init() throws { shop = try Shop() }

  @Test func revenueByCategory() throws {
    let revenue = try shop.lines
      .grouped { $0.$product.$category.$name }
      .order(.descending) {
        $0.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) }
      }
      .select { $0.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) } }
      .all()
    #expect(revenue.map(\.key) == ["Drinks", "Food"])
    #expect(revenue.map(\.value) == [122, 39.5])
  }

  @Test func revenueIsSelectedIntoAType() throws {
    let revenue = try shop.lines
      .grouped { $0.$product.$category.$name }
      .order(byKey: .ascending)
      .select(into: ShopRevenue.init) {
        (
          $0.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) },
          $0.count
        )
      }
      .all()
    #expect(
      revenue == [
        ShopRevenue(category: "Drinks", total: 122, orders: 5),
        ShopRevenue(category: "Food", total: 39.5, orders: 2),
      ])
  }

  @Test func ordersPerMonth() throws {
    let perMonth = try shop.orders
      .grouped { $0.$date.startOf(.month) }
      .order(byKey: .ascending)
      .count()
    #expect(perMonth.map(\.key) == [day("2024-01-01"), day("2024-02-01"), day("2025-02-01")])
    #expect(perMonth.map(\.count) == [2, 2, 1])
    let parts = try shop.orders
      .grouped { ($0.$date.year, $0.$date.month) }
      .order(byKey: .descending)
      .count()
    #expect(parts.map(\.key.0) == [2025, 2024, 2024])
    #expect(parts.map(\.key.1) == [2, 2, 1])
    #expect(parts.map(\.count) == [1, 2, 2])
    let months = try shop.orders.grouped { $0.$date.month }.order(byKey: .ascending)
      .having { $0.count > 2 }.select { ($0.count, $0.count(distinct: \.$customer)) }.all()
    #expect(months.map(\.key) == [2])
    #expect(months[0].values == (3, 3))
  }

  @Test func theBestMonthOfEachEmployee() throws {
    let months = try shop.orders
      .grouped { ($0.$employee, $0.$date.startOf(.month)) }
      .order(.descending) {
        $0.sum { $0.$lines.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) } }
      }
      .select(into: { (name: $0.0, month: $0.1, total: $1) }) {
        $0.sum { $0.$lines.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) } }
      }
      .all()
    var best: [String: (month: Date, total: Double)] = [:]
    for row in months where best[row.name] == nil { best[row.name] = (row.month, row.total) }
    #expect(best["Nancy"]?.month == day("2024-01-01"))
    #expect(best["Nancy"]?.total == 87.5)
    #expect(best["Robert"]?.month == day("2025-02-01"))
    #expect(best["Robert"]?.total == 10)
  }

  @Test func membersAreAggregated() throws {
    let totals = try shop.orders.order(by: \.$date)
      .select {
        (
          $0.$lines.sum { $0.$price * $0.$quantity.as(Double.self) },
          $0.$lines.max { $0.$quantity }, $0.$lines.min { $0.$discount },
          $0.$lines.average { $0.$quantity }, $0.$lines.count
        )
      }
      .all()
    #expect(totals.map(\.0) == [60, 50, 4, 60, 10])
    #expect(totals.map(\.1) == [10, 100, 1, 3, 4])
    #expect(totals.map(\.2) == [0, 0.25, 0, 0, 0])
    #expect(totals.map(\.3) == [5.5, 100, 1, 3, 3])
    let large = try shop.orders.where { $0.$lines.sum { $0.$quantity } > 10 }
      .order(by: \.$customer).select(\.$customer).all()
    #expect(large == ["Ada", "Ben"])
    #expect(try shop.orders.sum { $0.$lines.sum { $0.$quantity } } == 121)
  }

  @Test func aggregatesOfNoMembersAreZeroOrNil() throws {
    let tea = shop.products.where(\.$name == "Wine")
    let none = try tea.select {
      (
        $0.$related.sum { $0.$price }, $0.$related.average { $0.$price },
        $0.$related.min { $0.$name }, $0.$related.max { $0.$stock }
      )
    }.all()
    #expect(none.count == 1)
    #expect(none[0] == (0, nil, nil, nil))
  }

  @Test func aMemberCountsAsOftenAsTheListContainsIt() throws {
    let sums = shop.products.where(\.$name == "Tea").select { $0.$related.sum { $0.$price } }
    #expect(try sums.all() == [40.5])
    let relating = shop.products.where(\.$name == "Wine").select {
      $0.$relating.sum { $0.$price }
    }
    #expect(try relating.all() == [4])
  }

  @Test func aMemberAggregateOfTheOuterRowIsComputedForEachMember() throws {
    let sums = shop.products.where(\.$name == "Tea")
      .select { product in product.$related.sum { _ in product.$price } }
    #expect(try sums.all() == [12])
  }

  @Test func aJoinedTextHasTheTextsOfAGroup() throws {
    let names = try shop.orders.grouped(by: \.$employee).order(byKey: .ascending)
      .select { $0.joined(\.$customer, separator: ", ") }.all()
    #expect(
      names.map { $0.value?.components(separatedBy: ", ").sorted() } == [
        ["Ada", "Ada", "Ben"], ["Ben", "Cleo"],
      ])
  }

  @Test func selectionsAreOrderedAndLimited() throws {
    let names = shop.products.select { $0.$name.trimmed() }.order(.descending) { $0.$price }
    #expect(try names.all() == ["Wine", "Tea", "Brötchen"])
    #expect(try names.limit(2).all() == ["Wine", "Tea"])
    #expect(
      try shop.orders.select(\.$customer).distinct().order(by: \.$customer).limit(2).all()
        == ["Ada", "Ben"])
  }

  @Test func aggregatesOfGroupsTakeExpressions() throws {
    let groups = shop.lines.grouped { $0.$quantity % 2 == 0 }.order(byKey: .ascending)
    #expect(try groups.sum { $0.$quantity * 2 }.map(\.sum) == [10, 232])
    #expect(try groups.average { $0.$quantity }.map(\.average) == [5.0 / 3, 29])
    #expect(try groups.max { $0.$price }.map(\.max) == [20, 4])
    #expect(try groups.min { $0.$product.$stock }.map(\.min) == [39, 0])
    #expect(try groups.count().map(\.key) == [false, true])
  }

  @Test func groupsByExpressionsOfLimitedRowsAreOrdered() throws {
    let groups = shop.orders.order(by: \.$date).limit(3).grouped { $0.$date.adding(.day, 1).month }
    #expect(try groups.order(byKey: .descending).count().map(\.key) == [2, 1])
  }
}
