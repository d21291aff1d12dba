import Foundation
import MagicData
import Testing

/// The examples of window functions.
@Suite struct DocumentedWindows {
  /// Four items in two categories, in three sales of two customers.
  private func shop() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    for (day, customer, prices) in [(0.0, "Ada", [2.0, 8]), (1, "Bob", [4]), (2, "Ada", [6])] {
      let sale = Sale()
      sale.customer = customer
      sale.seller = "Cleo"
      sale.date = Date(timeIntervalSinceReferenceDate: 86_400 * day)
      for price in prices {
        let item = Item()
        item.category = price < 5 ? "Tea" : "Wine"
        item.price = price
        sale.items.append(item)
      }
      try await magic.update(sale)
    }
    return magic
  }

  @Test func windowsOfRows() async throws {
    let magic = try await shop()
    // The rank of each item by its price, in its category.
    let ranks = try await magic.query(Item.self).select {
      (
        $0.$category, $0.$price,
        $0.rank(over: .partition(by: $0.$category).order(by: $0.$price, .descending))
      )
    }
    .all()

    // How many sales a customer has made so far, and the date of the sale before.
    let history = try await magic.query(Sale.self).order(by: \.$date).select {
      (
        $0.$customer, $0.count(over: .partition(by: $0.$customer).order(by: $0.$date)),
        $0.$date.lag(over: .partition(by: $0.$customer).order(by: $0.$date))
      )
    }
    .all()

    // The sum of the prices up to each item, the average of three items, and the share of the total.
    let sums = try await magic.query(Item.self).select {
      (
        $0.$price.sum(over: .order(by: $0.$category)),
        $0.$price.average(over: .order(by: $0.$category).rows(-1...1)),
        $0.$price / $0.$price.sum(over: .all)
      )
    }
    .all()

    #expect(ranks.sorted { $0.1 < $1.1 }.map(\.2) == [2, 1, 2, 1])
    #expect(history.map(\.1) == [1, 1, 2])
    #expect(history.map { $0.2 == nil } == [true, true, false])
    #expect(sums.map(\.0).sorted() == [2, 6, 14, 20])
    #expect(sums.map(\.2).sorted() == [0.1, 0.2, 0.3, 0.4])
  }

  @Test func windowsOfGroups() async throws {
    let magic = try await shop()
    // The months of each seller, ranked by the number of sales.
    let months = try await magic.query(Sale.self)
      .grouped { ($0.$seller, $0.$date.startOf(.month)) }
      .select {
        (
          $0.rank(over: .partition(by: $0.key(\.$seller)).order(by: $0.count, .descending)),
          $0.count.sum(over: .partition(by: $0.key { $0.$date.startOf(.month) }))
        )
      }
      .all()
    #expect(months.map(\.values.0) == [1])
    #expect(months.map(\.values.1) == [3])
  }

  @Test func theFirstOfEach() async throws {
    let magic = try await shop()
    // The three latest sales of each customer.
    let latest = try await magic.query(Sale.self)
      .top(3) { .partition(by: $0.$customer).order(by: $0.$date, .descending) }
      .order(by: \.$customer)
      .all()

    // The best month of each seller.
    let best = try await magic.query(Sale.self)
      .grouped { ($0.$seller, $0.$date.startOf(.month)) }
      .top(1) { .partition(by: $0.key(\.$seller)).order(by: $0.count, .descending) }
      .count()
    #expect(latest.map(\.customer) == ["Ada", "Ada", "Bob"])
    #expect(best.map(\.count) == [3])
    #expect(best.map(\.key.0) == ["Cleo"])
  }

  @Test func windowsOfPeople() async throws {
    let magic = try await MagicData(type: .temporary)
    let (ada, bob) = (Person(name: "Ada"), Person(name: "Bob"))
    (ada.age, bob.age) = (30, 10)
    try await magic.update(ada, bob)
    let people = magic.query(Person.self)

    let ranks = try await people.select {
      ($0.$name, $0.rank(over: .partition(by: $0.$petName).order(by: $0.$age, .descending)))
    }
    .all()
    #expect(ranks.map(\.1).sorted() == [1, 2])

    // The sum of the ages up to each person, and the share of each person in the whole sum.
    let sums = try await magic.query(Person.self).select {
      (
        $0.$name, $0.$age.sum(over: .order(by: $0.$name)),
        $0.$age.as(Double.self) / $0.$age.as(Double.self).sum(over: .all)
      )
    }
    .all()
    #expect(sums.map(\.1).sorted() == [30, 40])
    #expect(sums.map(\.2).sorted() == [0.25, 0.75])

    let ages = try await magic.query(Person.self).grouped(by: \.$age, \.$petName).select {
      $0.count.sum(over: .partition(by: $0.key(\.$age)))
    }
    .all()
    #expect(ages.map(\.value) == [1, 1])

    // The two oldest people with each pet name.
    let oldest = try await magic.query(Person.self)
      .top(2) { .partition(by: $0.$petName).order(by: $0.$age, .descending) }
      .all()
    #expect(oldest.count == 2)

    // The most frequent age of the people with each pet name.
    let frequent = try await magic.query(Person.self).grouped(by: \.$petName, \.$age)
      .top(1) { .partition(by: $0.key(\.$petName)).order(by: $0.count, .descending) }
      .count()
    #expect(frequent.count == 1)
  }
}
