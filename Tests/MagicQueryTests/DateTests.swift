import EngineConformance
import Foundation
import MagicData
import MagicQuery
import MagicTestSupport
import Testing

@Suite(.everyEngine) struct DateTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func save(_ dates: [Date]) throws -> MagicQuery<ShopOrder, MagicObjectStore> {
    for date in dates {
      let order = ShopOrder()
      order.date = date
      try test.store.update(order)
    }
    return test.store.query(ShopOrder.self)
  }

  private func calendar(_ zone: String = "UTC") throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    calendar.firstWeekday = 2
    return calendar
  }

  private func dates(_ count: Int, seed: UInt64) -> [Date] {
    var random = SeededRandom(seed)
    // From 1902 to 2099.
    return (0..<count).map { _ in
      Date(timeIntervalSinceReferenceDate: .random(in: -3.1e9...3.1e9, using: &random))
    }
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
  ])
  func componentsAreThoseOfACalendar(_ name: String) throws {
    let calendar = try calendar(name)
    let zone = calendar.timeZone
    let dates = dates(200, seed: 1)
    let rows = try save(dates).select {
      (
        $0.$date, $0.$date.year(in: zone), $0.$date.month(in: zone), $0.$date.day(in: zone),
        $0.$date.hour(in: zone), $0.$date.minute(in: zone), $0.$date.weekday(in: zone)
      )
    }.all()
    #expect(rows.count == 200)
    for row in rows {
      let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .weekday]
      let parts = calendar.dateComponents(units, from: row.0)
      let day = (parts.year, parts.month, parts.day, parts.weekday)
      try #require((row.1, row.2, row.3, row.6) == day, "\(row.0)")
      try #require((row.4, row.5) == (parts.hour, parts.minute), "\(row.0)")
    }
  }

  @Test func componentsAreInUTC() throws {
    let date = day("2024-02-29").addingTimeInterval(13 * 3600 + 14 * 60 + 15.75)
    let row = try save([date]).select {
      (
        $0.$date.year, $0.$date.month, $0.$date.day, $0.$date.hour, $0.$date.minute,
        $0.$date.second
      )
    }.first()
    #expect(try #require(row) == (2024, 2, 29, 13, 14, 15))
    #expect(try save([]).where { $0.$date.weekday == 5 }.count() == 1)
  }

  @Test(arguments: ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata"])
  func aUnitBeginsWhereACalendarBeginsIt(_ name: String) throws {
    let calendar = try calendar(name)
    let zone = calendar.timeZone
    let rows = try save(dates(200, seed: 2)).select {
      (
        $0.$date, $0.$date.startOf(.year, in: zone), $0.$date.startOf(.month, in: zone),
        $0.$date.startOf(.week, in: zone), $0.$date.startOf(.day, in: zone),
        $0.$date.startOf(.hour, in: zone)
      )
    }.all()
    #expect(rows.count == 200)
    for row in rows {
      let units: [(Calendar.Component, Date)] = [
        (.year, row.1), (.month, row.2), (.weekOfYear, row.3), (.day, row.4), (.hour, row.5),
      ]
      for (unit, start) in units {
        let expected = calendar.dateInterval(of: unit, for: row.0)?.start
        try #require(start == expected, "\(unit) of \(row.0)")
      }
    }
  }

  @Test(arguments: ["UTC", "Europe/Berlin"])
  func unitsAreAddedAsByACalendar(_ name: String) throws {
    let calendar = try calendar(name)
    let zone = calendar.timeZone
    let count = 14
    let rows = try save(dates(200, seed: 3)).select {
      (
        $0.$date, $0.$date.adding(.month, count, in: zone), $0.$date.adding(.year, -3, in: zone),
        $0.$date.adding(.day, count, in: zone), $0.$date.adding(.week, 1, in: zone),
        $0.$date.adding(.hour, count, in: zone)
      )
    }.all()
    #expect(rows.count == 200)
    for row in rows {
      let sums: [(Calendar.Component, Int, Date)] = [
        (.month, count, row.1), (.year, -3, row.2), (.day, count, row.3), (.day, 7, row.4),
        (.hour, count, row.5),
      ]
      for (unit, count, sum) in sums {
        let expected = try #require(calendar.date(byAdding: unit, value: count, to: row.0))
        try #require(abs(sum.timeIntervalSince(expected)) < 1e-5, "\(unit) after \(row.0)")
      }
    }
  }

  @Test func aTimeThatOccursTwiceKeepsItsOffset() throws {
    let zone = try calendar("Europe/Berlin").timeZone
    // 02:30 on 2024-10-27 in summer time and in winter time.
    let (first, second) = (
      day("2024-10-27").addingTimeInterval(1_800), day("2024-10-27").addingTimeInterval(5_400)
    )
    let rows = try save([first, second]).order(by: \.$date).select {
      ($0.$date.adding(.day, 0, in: zone), $0.$date.adding(.month, 0, in: zone))
    }.all()
    #expect(rows.map(\.0) == [first, second])
    #expect(rows.map(\.1) == [first, second])
    let around = try save([first - 86_400, second + 86_400]).order(by: \.$date).select {
      ($0.$date.adding(.day, 1, in: zone), $0.$date.adding(.day, -1, in: zone))
    }.all()
    #expect(around.first?.0 == first)
    #expect(around.last?.1 == second)
  }

  @Test func aTimeThatIsSkippedBecomesTheTimeAfterTheChange() throws {
    let zone = try calendar("Europe/Berlin").timeZone
    // 02:30 on 2024-03-30. On 2024-03-31 it does not occur.
    let date = day("2024-03-30").addingTimeInterval(5_400)
    let next = try save([date]).select { $0.$date.adding(.day, 1, in: zone) }.first()
    #expect(next == date + 86_400)
  }

  @Test func datesAreSubtracted() throws {
    let order = ShopOrder("Ada", by: "Bob", "2024-01-15", [])
    order.shipped = day("2024-01-18")
    try test.store.update(contentsOf: [order, ShopOrder("Ben", by: "Bob", "2024-01-01", [])])
    let orders = test.store.query(ShopOrder.self).order(by: \.$customer)
    let waited = try orders.select { ($0.$shipped ?? $0.$date).timeIntervalSince($0.$date) }.all()
    #expect(waited == [3 * 86_400, 0])
    let year = day("2024-01-01")
    #expect(
      try orders.select { $0.$shipped.timeIntervalSince(year) }.all() == [17 * 86_400, nil])
    #expect(
      try orders.select { $0.$date.timeIntervalSince($0.$shipped) }.all() == [-3 * 86_400, nil])
    #expect(try orders.select { $0.$shipped.month }.all() == [1, nil])
    #expect(try orders.where { $0.$shipped < $0.$date.adding(.day, 4) }.count() == 1)
  }

  @Test func aDateFarAwayHasNoComponents() throws {
    let orders = try save([Date(timeIntervalSinceReferenceDate: 1e15)])
    #expect(code { try orders.select { $0.$date.year }.all() } == .cannotDecode)
    #expect(try orders.select { $0.$shipped.year }.all() == [nil])
  }
}
