import Foundation
import MagicData
import Testing

struct Sale: MagicObject {
  @MagicValue var customer: String = ""
  @MagicValue var seller: String = ""
  @MagicValue var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  @OptionMagicValue var shipped: Date?
  @MagicValue(.owned) var items: [Item] = []

  init() {}
}

struct Item: MagicObject {
  @MagicValue var category: String = ""
  @MagicValue var price: Double = 0
  @MagicValue var quantity: Int = 0
  @MagicValue var discount: Double = 0

  init() {}
}

struct Revenue {
  var category: String
  var total: Double
  var count: Int
}

extension MagicRow where Model == Item {
  var total: MagicExpression<Item, Double> {
    self.$price * self.$quantity.as(Double.self) * (1 - self.$discount)
  }
}

extension MagicRow where Model == Sale {
  var total: MagicExpression<Sale, Double> { self.$items.sum { $0.total } }
}

/// The examples of queries that compute.
@Suite struct DocumentedShop {
  private func shop() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    let sale = Sale()
    sale.customer = "Ada"
    sale.seller = "Bob"
    sale.date = Date(timeIntervalSinceReferenceDate: 86_400 * 40)
    for (category, quantity) in [("Tea", 2), ("Wine", 5)] {
      let item = Item()
      item.category = category
      item.price = 4
      item.quantity = quantity
      item.discount = 0.5
      sale.items.append(item)
    }
    try await magic.update(sale)
    return magic
  }

  @Test func theQuestionsOfAShop() async throws {
    let magic = try await shop()
    // The revenue by category, the largest first.
    let revenue = try await magic.query(Item.self)
      .grouped(by: \.$category)
      .order(.descending) { $0.sum { $0.$price * $0.$quantity.as(Double.self) } }
      .select(into: Revenue.init) {
        ($0.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) }, $0.count)
      }
      .all()

    // The number of sales in each month.
    let perMonth = try await magic.query(Sale.self)
      .grouped { $0.$date.startOf(.month) }
      .order(byKey: .ascending)
      .count()

    // The revenue of each seller in each month, the best month of a seller first.
    let months = try await magic.query(Sale.self)
      .grouped { ($0.$seller, $0.$date.year, $0.$date.month) }
      .order(.descending) { $0.sum { $0.$items.sum { $0.$price * $0.$quantity.as(Double.self) } } }
      .select { $0.sum { $0.$items.sum { $0.$price * $0.$quantity.as(Double.self) } } }
      .all()

    #expect(revenue.map(\.category) == ["Wine", "Tea"])
    #expect(revenue.map(\.total) == [10, 4])
    #expect(perMonth.map(\.count) == [1])
    #expect(months.map(\.value) == [28])
    #expect(months[0].key == ("Bob", 2001, 2))
  }

  @Test func expressionsAreWrittenAsInSwift() async throws {
    let magic = try await shop()
    let sales = magic.query(Sale.self)
    let late = try await sales.where { $0.$shipped > $0.$date.adding(.day, 7) }.count()
    let waiting = try await sales.where { ($0.$shipped ?? $0.$date) == $0.$date }.count()
    let labels = try await sales.select {
      (
        $0.$customer.trimmed() + " / " + $0.$seller.prefix(1),
        MagicExpression.when($0.$items.count > 3, then: "large", else: "small")
      )
    }.all()
    #expect(late == 0 && waiting == 1)
    #expect(labels[0] == ("Ada / B", "small"))
  }

  @Test func theDatabaseComputesTotals() async throws {
    let magic = try await shop()
    let totals = try await magic.query(Sale.self).select {
      ($0.$customer, $0.$items.sum { $0.$price * $0.$quantity.as(Double.self) })
    }.all()
    #expect(totals[0] == ("Ada", 28))

    let people = magic.query(Person.self)
    try await magic.update(Person(name: "Ada"))
    let ages = try await people.select {
      ($0.$name, MagicExpression.when($0.$age < 18, then: "minor", else: "adult"))
    }.all()
    #expect(ages[0] == ("Ada", "minor"))

    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let hours = try await magic.query(Sale.self).select { $0.$date.hour(in: berlin) }.all()
    #expect(hours == [1])
  }

  @Test func valuesAreSelectedIntoAType() async throws {
    let magic = try await shop()
    let prices = try await magic.query(Item.self)
      .select(into: Revenue.init) { ($0.$category, $0.$price, $0.$quantity) }
      .all()
    #expect(prices.map(\.total) == [4, 4])
  }

  @Test func furtherQuestionsOfAShop() async throws {
    let magic = try await shop()
    let today = Date(timeIntervalSinceReferenceDate: 86_400 * 365)
    // The revenue of each month, and its growth since the month before.
    let growth = try await magic.query(Sale.self)
      .grouped { $0.$date.startOf(.month) }
      .order(byKey: .ascending)
      .select {
        let before = $0.sum { $0.total }.lag(over: .order(by: $0.key { $0.$date.startOf(.month) }))
        return ($0.sum { $0.total }, ($0.sum { $0.total } - before) / before)
      }
      .all()

    // The revenue of each seller in two years, side by side.
    let years = try await magic.query(Sale.self)
      .grouped(by: \.$seller)
      .select {
        (
          $0.sum { .when($0.$date.year == 2024, then: $0.total, else: 0) },
          $0.sum { .when($0.$date.year == 2025, then: $0.total, else: 0) }
        )
      }
      .all()

    // The customers without a sale in the last 90 days, and the average days between their sales.
    let lost = try await magic.query(Sale.self)
      .grouped(by: \.$customer)
      .having { $0.max(\.$date) < today - 90 * 86_400 }
      .select {
        let days = $0.max(\.$date).timeIntervalSince($0.min(\.$date)) / 86_400
        return days / ($0.count - 1).as(Double.self)
      }
      .all()

    // The number of customers by the month of their first sale.
    let cohorts = try await magic.query(Sale.self)
      .grouped { sale in
        MagicQuery(Sale.self).where { $0.$customer == sale.$customer }
          .min { $0.$date.startOf(.month) }
      }
      .order(byKey: .ascending)
      .select { $0.count(distinct: \.$customer) }
      .all()

    // The categories with half of the revenue, those with most of the rest, and the others.
    let classes = try await magic.query(Item.self)
      .grouped(by: \.$category)
      .select {
        let sum = $0.sum { $0.total }
        let share = sum.sum(over: .order(by: sum, .descending)) / sum.sum(over: .all)
        return MagicExpression.when(
          share <= 0.5, then: "A", else: .when(share <= 0.8, then: "B", else: "C"))
      }
      .all()

    #expect(growth.map(\.values.0) == [14])
    #expect(growth.map(\.values.1) == [nil])
    #expect(years.map(\.values.0) == [0])
    #expect(lost.map(\.key) == ["Ada"])
    #expect(lost.map(\.value) == [nil])
    #expect(cohorts.map(\.value) == [1])
    #expect(Set(classes.map(\.value)) == ["B", "C"])
  }
}
