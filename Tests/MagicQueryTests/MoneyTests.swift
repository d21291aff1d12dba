import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport
import Testing

private typealias Cents = MagicMoney<MagicCents>

private enum MoneyMills: MagicScale {
  static var fractionDigits: Int { 3 }
}

private enum MoneyWholes: MagicScale {
  static var fractionDigits: Int { -1 }
}

private struct MoneyBill: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.indexed) var total: Cents
  @OptionMagicValue var tip: Cents?
  @MagicValue var parts: [Cents] = []

  init() {}
  init(_ total: Cents, tip: Cents? = nil) { (self.total, self.tip) = (total, tip) }
}

/// Amounts of money as values of Swift, and in queries.
@Suite(.everyEngine) struct MoneyTests {
  private func decimal(_ text: String) throws -> Decimal { try Decimal(storedValue: text) }

  @Test func amountsAreComparedSortedAndAddedUp() throws {
    let test = try TestStore()
    let amounts: [Int64] = [19_95, -5, 1_000_00, 9_99, 0]
    try test.store.update(contentsOf: amounts.map { MoneyBill(Cents(units: $0)) })
    let bills = test.store.query(MoneyBill.self)
    // As text, 1000.00 would be less than 9.99.
    #expect(
      try bills.order(by: \.$total).select(\.$total).all().map(\.description)
        == ["-0.05", "0.00", "9.99", "19.95", "1000.00"])
    #expect(try bills.where(\.$total > Cents(units: 10_00)).count() == 2)
    #expect(try bills.where(\.$total == Cents(units: 9_99)).select(\.$number).all() == [4])
    #expect(try bills.sum(\.$total) == Cents(units: 1_029_89))
    #expect(try bills.max(\.$total) == Cents(units: 1_000_00))
    #expect(try bills.min(\.$total) == Cents(units: -5))
    #expect(try bills.where(\.$tip == nil).count() == 5)
    #expect(try bills.sum(\.$tip) == .zero)
  }

  @Test func aSumIsExact() throws {
    let test = try TestStore()
    try test.store.update(contentsOf: (0..<1_000).map { _ in MoneyBill(Cents(units: 10)) })
    #expect(try test.store.query(MoneyBill.self).sum(\.$total).decimal == 100)
    let large = MoneyBill(Cents(units: .max), tip: Cents(units: -1))
    large.parts = [Cents(units: 1), Cents(units: -2)]
    try test.store.update(large)
    let stored = try test.store.object(of: MoneyBill.self, primary: large.number)
    #expect(stored.total.units == .max && stored.tip == Cents(units: -1))
    #expect(stored.parts == large.parts)
    let error = #expect(throws: MagicError.self) {
      try test.store.query(MoneyBill.self).sum(\.$total)
    }
    #expect(error?.code == .cannotEncode)
  }

  @Test func anAmountIsADecimalNumberExactlyOrNot() throws {
    #expect(try Cents(exactly: decimal("19.95"))?.units == 19_95)
    #expect(try Cents(exactly: decimal("-0.05"))?.units == -5)
    #expect(try Cents(exactly: decimal("1.005")) == nil)
    #expect(try Cents(rounding: decimal("1.005"))?.units == 1_01)
    #expect(try Cents(rounding: decimal("-1.005"))?.units == -1_01)
    #expect(try Cents(rounding: decimal("1.005"), .down)?.units == 1_00)
    #expect(try Cents(rounding: decimal("1.025"), .bankers)?.units == 1_02)
    #expect(Cents(exactly: .nan) == nil && Cents(rounding: .nan) == nil)
    for units in [Int64.min, -1, 0, 1, .max] {
      let amount = Cents(units: units)
      #expect(Cents(exactly: amount.decimal) == amount)
      #expect(Cents(amount.description) == amount)
    }
    #expect(try Cents(rounding: decimal("92233720368547758.08")) == nil)
    #expect(Cents(rounding: .greatestFiniteMagnitude) == nil)
    #expect(MagicMoney<MoneyMills>("0.001")?.units == 1)
    #expect(MagicMoney<MoneyWholes>("12")?.description == "12")
  }

  @Test func anAmountIsText() {
    #expect(Cents(units: 7).description == "0.07" && Cents(units: -70).description == "-0.70")
    #expect(MagicMoney<MoneyMills>(units: -1_234).description == "-1.234")
    #expect(Cents("19.9")?.units == 19_90 && Cents("1e2")?.units == 100_00)
    for text in ["", "1.999", "1,5", "1.00 EUR", "nan"] { #expect(Cents(text) == nil, "\(text)") }
  }

  @Test func anAmountIsEncodedAsANumber() throws {
    let data = try JSONEncoder().encode([Cents(units: 19_95), Cents(units: -5)])
    #expect(String(decoding: data, as: UTF8.self) == "[19.95,-0.05]")
    #expect(
      try JSONDecoder().decode([Cents].self, from: data) == [Cents(units: 19_95), Cents(units: -5)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Cents].self, from: Data("[0.001]".utf8))
    }
  }
}
