import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport
import Testing

private typealias Money = MagicMoney<MagicCents>

private enum Mills: MagicScale {
  static var fractionDigits: Int { 3 }
}

private enum Wholes: MagicScale {
  static var fractionDigits: Int { -1 }
}

private struct Bill: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var total: Money
  @OptionMagicValue var tip: Money?
  @MagicValue var parts: [Money] = []

  init() {}
  init(_ total: Money, tip: Money? = nil) { (self.total, self.tip) = (total, tip) }
}

/// Amounts of money as values of Swift, and in queries.
@Suite(.everyEngine) struct MoneyTests {
  private func decimal(_ text: String) throws -> Decimal { try Decimal(storedValue: text) }

  @Test func amountsAreComparedSortedAndAddedUp() throws {
    let test = try TestStore()
    let amounts: [Int64] = [19_95, -5, 1_000_00, 9_99, 0]
    try test.store.update(contentsOf: amounts.map { Bill(Money(units: $0)) })
    let bills = test.store.query(Bill.self)
    // As text, 1000.00 would be less than 9.99.
    #expect(
      try bills.order(by: \.$total).select(\.$total).all().map(\.description)
        == ["-0.05", "0.00", "9.99", "19.95", "1000.00"])
    #expect(try bills.where(\.$total > Money(units: 10_00)).count() == 2)
    #expect(try bills.where(\.$total == Money(units: 9_99)).select(\.$number).all() == [4])
    #expect(try bills.sum(\.$total) == Money(units: 1_029_89))
    #expect(try bills.max(\.$total) == Money(units: 1_000_00))
    #expect(try bills.min(\.$total) == Money(units: -5))
    #expect(try bills.where(\.$tip == nil).count() == 5)
    #expect(try bills.sum(\.$tip) == .zero)
  }

  @Test func aSumIsExact() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: (0..<1_000).map { _ in Bill(Money(units: 10)) })
    #expect(try test.store.query(Bill.self).sum(\.$total).decimal == 100)
    let large = Bill(Money(units: .max), tip: Money(units: -1))
    large.parts = [Money(units: 1), Money(units: -2)]
    try test.store.update(large)
    let stored = try test.store.object(of: Bill.self, primary: large.number)
    #expect(stored.total.units == .max && stored.tip == Money(units: -1))
    #expect(stored.parts == large.parts)
    let error = #expect(throws: MagicError.self) {
      try test.store.query(Bill.self).sum(\.$total)
    }
    #expect(error?.code == .cannotEncode)
  }

  @Test func anAmountIsADecimalNumberExactlyOrNot() throws {
    #expect(try Money(exactly: decimal("19.95"))?.units == 19_95)
    #expect(try Money(exactly: decimal("-0.05"))?.units == -5)
    #expect(try Money(exactly: decimal("1.005")) == nil)
    #expect(try Money(rounding: decimal("1.005"))?.units == 1_01)
    #expect(try Money(rounding: decimal("-1.005"))?.units == -1_01)
    #expect(try Money(rounding: decimal("1.005"), .down)?.units == 1_00)
    #expect(try Money(rounding: decimal("1.025"), .bankers)?.units == 1_02)
    #expect(Money(exactly: .nan) == nil && Money(rounding: .nan) == nil)
    for units in [Int64.min, -1, 0, 1, .max] {
      let amount = Money(units: units)
      #expect(Money(exactly: amount.decimal) == amount)
      #expect(Money(amount.description) == amount)
    }
    #expect(try Money(rounding: decimal("92233720368547758.08")) == nil)
    #expect(Money(rounding: .greatestFiniteMagnitude) == nil)
    #expect(MagicMoney<Mills>("0.001")?.units == 1)
    #expect(MagicMoney<Wholes>("12")?.description == "12")
  }

  @Test func anAmountIsText() {
    #expect(Money(units: 7).description == "0.07" && Money(units: -70).description == "-0.70")
    #expect(MagicMoney<Mills>(units: -1_234).description == "-1.234")
    #expect(Money("19.9")?.units == 19_90 && Money("1e2")?.units == 100_00)
    for text in ["", "1.999", "1,5", "1.00 EUR", "nan"] { #expect(Money(text) == nil, "\(text)") }
  }

  @Test func anAmountIsEncodedAsANumber() throws {
    let data = try JSONEncoder().encode([Money(units: 19_95), Money(units: -5)])
    #expect(String(decoding: data, as: UTF8.self) == "[19.95,-0.05]")
    #expect(
      try JSONDecoder().decode([Money].self, from: data) == [Money(units: 19_95), Money(units: -5)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Money].self, from: Data("[0.001]".utf8))
    }
  }
}
