import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

/// The forms of expressions, which are written as in Swift.
@Suite(.everyEngine) struct ExpressionTests {
  private let shop: Shop

  init() throws { shop = try Shop() }

  private func names(
    _ predicate: (MagicRow<ShopProduct>) -> MagicPredicate<ShopProduct>
  ) throws -> [String] {
    try shop.products.where(predicate).order(by: \.$price).select { $0.$name.trimmed() }.all()
  }

  private func value<Value>(
    _ expression: (MagicRow<ShopProduct>) -> MagicExpression<ShopProduct, Value>
  ) throws -> Value? {
    try shop.products.where(\.$name == "Tea").select(expression).first()
  }

  @Test func aConstantMayBeTheLeftOperand() throws {
    #expect(try names { 1 < $0.$price } == ["Tea", "Wine"])
    #expect(try names { 4 <= $0.$price } == ["Tea", "Wine"])
    #expect(try names { 4 > $0.$price } == ["Brötchen"])
    #expect(try names { 4 >= $0.$price } == ["Brötchen", "Tea"])
    #expect(try names { "Tea" == $0.$name } == ["Tea"])
    #expect(try names { "Tea" != $0.$name } == ["Brötchen", "Wine"])
    #expect(try names { 39 == $0.$stock } == ["Tea"])
    #expect(try shop.products.where(1 < \.$price && "Tea" != \.$name).count() == 1)
    #expect(try value { 1 - $0.$price } == -3)
    #expect(try value { 2 * $0.$price + 1 } == 9)
    #expect(try value { 8 / $0.$price } == 2)
    #expect(try value { 100 % $0.$stock } == 22)
    let sum: Double? = try value {
      (1 - $0.$price) * (1 + $0.$price) / 5 - 2 * (3 - $0.$price)
    }
    #expect(sum == -1)
  }

  @Test func remaindersAreThoseOfSwift() throws {
    #expect(try value { $0.$stock % 10 } == 9)
    #expect(try value { -$0.$stock % 10 } == -9)
    #expect(try value { $0.$stock % 0 } == .some(nil))
    #expect(try names { $0.$stock % 2 == 0 } == ["Brötchen"])
    #expect(try shop.products.where(\.$minimum % 2 == 0).count() == 3)
  }

  @Test func aComputationThatIsNotANumberEqualsNoNumber() throws {
    try shop.products.where(\.$name == "Tea").update(set: \.$price, to: .infinity)
    #expect(try value { $0.$price - $0.$price != 0 } == true)
    #expect(try value { $0.$price - $0.$price == 0 } == false)
    #expect(try value { !($0.$price * 0 > 1) } == true)
    #expect(try names { $0.$price - $0.$price != 0 } == ["Tea"])
    #expect(try names { !($0.$price - $0.$price >= 0) } == ["Tea"])
    #expect(try names { $0.$price + 1 > 1e300 } == ["Tea"])
  }

  @Test func numbersAreConvertedAndRounded() throws {
    #expect(try value { $0.$stock.as(Double.self) } == 39.0)
    #expect(try value { $0.$minimum.as(Double.self) / 2 } == 0.0)
    #expect(try value { ($0.$price / 3).as(Int.self) } == 1)
    #expect(try value { (-$0.$price / 3).as(Int.self) } == -1)
    #expect(try value { abs(1 - $0.$price) } == 3)
    #expect(try value { ($0.$price / 8).rounded() } == 1)
    #expect(try value { (-$0.$price / 8).rounded() } == -1)
    #expect(try value { ($0.$price * 0 + 0.49999999999999994).rounded() } == 0)
    #expect(try names { $0.$price * ($0.$stock ?? 0).as(Double.self) > 100 } == ["Tea"])
    #expect(code { try value { ($0.$price * 1e300).as(Int.self) } } == .cannotEncode)
    #expect(code { try value { abs($0.$minimum + .min) } } == .cannotEncode)
  }

  @Test func textsAreComputedAsByString() throws {
    #expect(try value { $0.$name + "!" } == "Tea!")
    #expect(try value { "Green " + $0.$name } == "Green Tea")
    #expect(try value { $0.$name + " in " + $0.$name } == "Tea in Tea")
    #expect(try value { $0.$name.count } == 3)
    #expect(try value { $0.$name.prefix(2) } == "Te")
    #expect(try value { $0.$name.prefix(9) } == "Tea")
    #expect(try value { $0.$name.prefix(-1) } == "")
    #expect(try value { $0.$name.replacing("e", with: "oo") } == "Tooa")
    #expect(try value { $0.$name.replacing("", with: "oo") } == "Tea")
    #expect(try value { ($0.$name + "\0!").replacing("\0", with: "oo") } == "Tea\0!")
    #expect(try value { ($0.$name + "\0!").replacing("a\0", with: "oo") } == "Teoo!")
    let bread = shop.products.where { $0.$name.hasPrefix(" ") }
    #expect(try bread.select { $0.$name.uppercased() }.first() == " BRÖTCHEN ")
    #expect(try bread.select { $0.$name.count }.first() == 10)
    #expect(try bread.select { $0.$name.trimmed().prefix(3) }.first() == "Brö")
    #expect(try names { $0.$name.trimmed().lowercased() == "brötchen" } == ["Brötchen"])
    #expect(try value { $0.$category.$name + "!" } == "Drinks!")
    #expect(try value { $0.$category.$name.count } == 6)
  }

  @Test(arguments: ["", " ", "\r\n", "e\u{301}", "👨‍👩‍👧 x", "\u{2003}ǅ\u{2003}", "a\0b", "ﬀ", "İ"])
  func textFunctionsHaveTheResultsOfSwift(_ text: String) throws {
    let product = ShopProduct(text, 7, nil)
    try shop.store.update(product)
    let rows = try shop.products.where { $0.zIndex == (product.zIndex ?? ZIndex(rawValue: 0)) }
      .select {
        (
          $0.$name.lowercased(), $0.$name.uppercased(), $0.$name.count, $0.$name.trimmed(),
          $0.$name.prefix(1), $0.$name + text
        )
      }.all()
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(rows.count == 1)
    #expect(
      rows[0]
        == (
          text.lowercased(), text.uppercased(), text.count, trimmed, String(text.prefix(1)),
          text + text
        ))
  }

  @Test func anOptionalHasADefault() throws {
    #expect(try names { ($0.$stock ?? 5) > 0 } == ["Tea", "Wine"])
    #expect(try names { ($0.$stock ?? $0.$minimum) == 0 } == ["Brötchen", "Wine"])
    #expect(try value { ($0.$stock ?? 0) + 1 } == 40)
    #expect(try value { $0.$category.$name ?? "none" } == "Drinks")
  }

  @Test func aValueIsComparedWithAnOptional() throws {
    #expect(try names { $0.$minimum == $0.$stock } == ["Brötchen"])
    #expect(try names { $0.$stock != $0.$minimum } == ["Tea", "Wine"])
    #expect(try names { $0.$minimum < $0.$stock } == ["Tea"])
    #expect(try names { $0.$stock > $0.$minimum } == ["Tea"])
    #expect(try names { $0.$minimum >= $0.$stock } == ["Brötchen"])
  }

  @Test func aConditionSelectsAValue() throws {
    let labels = shop.products.order(by: \.$price).select {
      MagicExpression.when($0.$price < 1, then: "cheap", else: "dear")
    }
    #expect(try labels.all() == ["cheap", "dear", "dear"])
    let sum = try shop.products.sum { .when($0.$price > 1, then: $0.$price, else: 0) }
    #expect(sum == 24)
    #expect(try value { .when($0.$stock > 100, then: 1, else: $0.$stock) } == 39)
    #expect(try value { .when($0.$stock > 1, then: $0.$price, else: $0.$price * 2) } == 4)
    // A comparison with nil is false.
    #expect(try names { .when($0.$stock > 1, then: true, else: false) } == ["Tea"])
  }

  @Test func functionsAreAssigned() throws {
    try shop.products.update(
      set: .set(\.$name) { $0.$name.trimmed() + "!" },
      .set(\.$stock) { .when($0.$stock == nil, then: 1, else: $0.$stock) },
      .set(\.$minimum) { $0.$price.rounded().as(Int.self) })
    let rows = try shop.products.order(by: \.$price).select(\.$name, \.$stock, \.$minimum).all()
    #expect(rows.map(\.0) == ["Brötchen!", "Tea!", "Wine!"])
    #expect(rows.map(\.1) == [0, 39, 1])
    #expect(rows.map(\.2) == [1, 4, 20])
  }
}
