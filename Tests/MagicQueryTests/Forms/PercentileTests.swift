import EngineConformance
import MagicData
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private struct Price: MagicObject {
  @MagicValue var shop: String = ""
  @MagicValue var amount: Double = 0
  @OptionMagicValue var rebate: Int?

  init() {}
  init(_ shop: String, _ amount: Double, _ rebate: Int? = nil) {
    self.shop = shop
    self.amount = amount
    self.rebate = rebate
  }
}

private struct Shelf: MagicObject {
  @MagicValue var prices: [Price] = []

  init() {}
}

/// Medians and percentiles.
@Suite(.everyEngine) struct PercentileTests {
  private let test: TestStore
  private let prices: MagicQuery<Price, MagicObjectStore>

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [
      Price("a", 1, 10), Price("a", 4), Price("a", 2, 20), Price("a", 3, 60), Price("b", 8),
    ])
    prices = test.store.query(Price.self)
  }

  @Test func theMedianIsTheValueInTheMiddleOrTheMeanOfTwo() throws {
    #expect(try prices.median(\.$amount) == 3)
    #expect(try prices.where(\.$shop == "a").median(\.$amount) == 2.5)
    #expect(try prices.percentile(0, \.$amount) == 1)
    #expect(try prices.percentile(1, \.$amount) == 8)
    #expect(try prices.percentile(0.9, \.$amount) == 4 + (0.9 * 4 - 3) * 4)
    #expect(try prices.order(by: \.$amount).limit(2).median(\.$amount) == 1.5)
  }

  @Test func nilIsLeftOutAndNoValueIsNil() throws {
    #expect(try prices.median(\.$rebate) == 20)
    #expect(try prices.where(\.$rebate == nil).median(\.$rebate) == nil)
    #expect(try prices.where(\.$shop == "none").median(\.$amount) == nil)
    let empty = try TestStore()
    #expect(try empty.store.query(Price.self).median(\.$amount) == nil)
  }

  @Test func groupsHaveMedians() throws {
    let groups = try prices.grouped(by: \.$shop).order(byKey: .ascending)
      .select { ($0.median(\.$amount), $0.percentile(0.25, \.$amount), $0.median(\.$rebate)) }
      .all()
    #expect(
      groups.map { "\($0.values)" } == [
        "(Optional(2.5), Optional(1.75), Optional(20.0))", "(Optional(8.0), Optional(8.0), nil)",
      ])
    let doubled = try prices.grouped(by: \.$shop).having { $0.median(\.$amount) > 5 }
      .select { $0.median { $0.$amount * 2.0 } }.all()
    #expect(doubled.map(\.value) == [16])
  }

  @Test func subqueriesAndMembersHaveMedians() throws {
    let all = MagicQuery(Price.self)
    let above = prices.where { $0.$amount > all.median(\.$amount) }
    #expect(try above.order(by: \.$amount).select(\.$amount).all() == [4, 8])
    let upper = prices.where { $0.$amount >= all.percentile(1, \.$amount) }
    #expect(try upper.select(\.$amount).all() == [8])
    let shelf = Shelf()
    shelf.prices = [Price("c", 5), Price("c", 6)]
    try test.store.update(shelf)
    let shelves = test.store.query(Shelf.self)
    #expect(try shelves.select { $0.$prices.median { $0.$amount } }.all() == [5.5])
    #expect(try shelves.select { $0.$prices.percentile(0.1) { $0.$amount } }.all() == [5.1])
  }

  @Test func aFractionOutOfRangeIsRefused() throws {
    for fraction in [-0.1, 1.1, .nan, .infinity] {
      let error = #expect(throws: MagicError.self) { try prices.percentile(fraction, \.$amount) }
      #expect(error?.code == .invalidQuery)
      let inGroups = #expect(throws: MagicError.self) {
        try prices.grouped(by: \.$shop).select { $0.percentile(fraction, \.$amount) }.all()
      }
      #expect(inGroups?.code == .invalidQuery)
    }
  }

  @Test func percentilesAreThoseOfSortedValues() throws {
    var random = SeededRandom(7)
    for count in 1...40 {
      let test = try TestStore()
      let values = (0..<count).map { _ in Double(Int.random(in: -9...9, using: &random)) / 4 }
      try test.store.update(contentsOf: values.map { Price("x", $0) })
      let sorted = values.sorted()
      for fraction in [0, 0.1, 0.5, 0.75, 1] {
        let place = fraction * Double(count - 1)
        let low = sorted[Int(place)]
        let high = sorted[min(count - 1, Int(place) + 1)]
        let expected = low + (place - place.rounded(.down)) * (high - low)
        let found = try #require(try test.store.query(Price.self).percentile(fraction, \.$amount))
        #expect(abs(found - expected) < 1e-9)
      }
    }
  }

  @Test(.requires(.widePercentiles)) func valuesOfAnySizeHaveAMedian() throws {
    let large = Double.greatestFiniteMagnitude
    for (values, median) in [
      ([-large, large], 0.0), ([-.infinity, 1], -.infinity), ([large, large], large),
    ] {
      let test = try TestStore()
      try test.store.update(contentsOf: values.map { Price("x", $0) })
      #expect(try test.store.query(Price.self).median(\.$amount) == median)
    }
    let test = try TestStore()
    try test.store.update(contentsOf: [Price("x", -.infinity), Price("x", .infinity)])
    #expect(try test.store.query(Price.self).median(\.$amount) == nil)
  }
}
