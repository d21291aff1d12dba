import Foundation
import MagicQuery

// Expressions of queries. Each is compiled in less than the time that ci/refusals allows.

struct Article: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var price: Double = 0
  @MagicValue var discount: Double = 0
  @MagicValue var quantity: Int = 0
  @MagicValue var minimum: Int = 0
  @OptionMagicValue var stock: Int?
  @OptionMagicValue var nick: String?
  @OptionMagicValue var shipped: Date?
  @MagicValue var date: Date = Date()
  @MagicValue var lines: [Article] = []
  @MagicValue var tags: [String] = []
  @MagicValue var sizes: [String: Int] = [:]

  init() {}
}

struct Pair {
  var name: String
  var price: Double
}

struct Total {
  var name: String
  var price: Double
  var count: Int
}

let q = MagicQuery(Article.self)

func form1() { _ = q.where { 18 < $0.$quantity } }
func form2() { _ = q.where { 1 - $0.$discount > 0.5 } }
func form3() { _ = q.select { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) } }
func form4() {
  _ = q.grouped { $0.$name }.select {
    $0.sum { $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) }
  }
}
func form5() { _ = q.select { (1 - $0.$price) * (1 + $0.$price) / 5 - 2 * (3 - $0.$price) } }
func form6() { _ = q.where { $0.$quantity % 2 == 0 } }
func form7() { _ = q.where { ($0.$stock ?? 0) + 1 > 5 } }
func form8() { _ = q.select { $0.$name + " in " + $0.$name } }
func form9() { _ = q.select { "a" + $0.$name } }
func form10() { _ = q.where { $0.$minimum < $0.$stock } }
func form11() {
  _ = q.where { $0.$stock > $0.$minimum && $0.$quantity > 3 && $0.$name.hasPrefix("a") }
}
func form12() { _ = q.select { MagicExpression.when($0.$price < 1, then: "cheap", else: "dear") } }
func form13() {
  _ = q.grouped { ($0.$date.year, $0.$date.month) }.select {
    ($0.count, $0.count(distinct: \.$name))
  }
}
func form14() { _ = q.where { $0.$shipped < $0.$date.adding(.day, 7) } }
func form15() { _ = q.where { $0.$lines.sum { $0.$price * $0.$quantity.as(Double.self) } > 100 } }
func form16() { _ = q.where { abs($0.$price - 3) < 0.1 } }
func form17() { _ = q.where(\.$quantity % 2 == 0 && 1 < \.$price) }
func form18() { _ = q.where { $0.$name.trimmed().lowercased().count > 3 } }
func form19() { _ = q.where { ($0.$nick ?? "x") == "y" || $0.$nick == nil } }
func form20() { _ = q.where { $0.$date.startOf(.month) == Date() } }
func form21() {
  _ = q.select {
    ($0.$price * 1.19 + 5, ($0.$price - 1) / 2, $0.$quantity * 3 - $0.$minimum * 2 + 7)
  }
}
func form22() {
  _ = q.where { $0.$price * 2 > $0.$discount * 3 + 1 && $0.$quantity - 1 <= $0.$minimum * 4 }
}
func form23() {
  _ = q.select {
    $0.$price * $0.$quantity.as(Double.self) * (1 - $0.$discount) * (1 + $0.$discount) / 100
  }
}
func form24() { _ = q.where { $0.$price + 1 - 2 * $0.$discount > 3 - $0.$price } }
func form25() { _ = q.where { $0.$stock == $0.$minimum } }
func form26() { _ = q.where { -$0.$stock % 10 == -9 } }
func form27() { _ = q.order(.descending) { ($0.$stock ?? 0) - $0.$minimum } }
func form28() {
  _ = q.grouped(by: \.$name).having { $0.sum { $0.$price * 2 } > 100 && $0.count > 2 }.order(
    .descending
  ) { $0.max { $0.$price - 1 } }
}
func form29() { _ = q.select { $0.$shipped.timeIntervalSince($0.$date) / 3600 } }
func form30() { _ = q.select { ($0.$price / 8).rounded().as(Int.self) % 7 } }
func form31() { _ = q.where { 3 <= $0.$quantity && $0.$quantity <= 7 } }
func form32() { _ = q.where { $0.$price / 2 == 1 || 2 != $0.$quantity } }
func form33() { _ = q.where { !($0.$stock == nil) && $0.$name != "x" } }
func form34() { _ = q.where { ($0.$stock ?? $0.$minimum) * 2 < 100 } }
func form35() { _ = q.where { $0.$lines.average { $0.$price } > 3 } }
func form36() { _ = q.where { $0.$lines.max { $0.$quantity } == 7 } }
func form37() { _ = q.where { $0.$lines.contains { 1 - $0.$discount < 0.5 } } }
func formOfElements1() {
  _ = q.where { $0.$tags.contains { $0.hasPrefix("a") && $0.count > 3 } && $0.$quantity > 3 }
}
func formOfElements2() {
  _ = q.where { $0.$sizes.values.allSatisfy { $0 * 2 + 1 > 3 } || $0.$tags.none { $0.isEmpty } }
}
func formOfMembers1() {
  _ = q.where { $0.$lines.count(distinct: \.$name) > 1 && $0.$lines.count { $0.$price > 2 } == 3 }
}
func formOfMembers2() {
  _ = q.select {
    ($0.$lines.joined(\.$name, separator: ", "), $0.$lines.count(distinct: { $0.$price * 2 }))
  }
}
func form38() { _ = q.where { $0.$date.year == 2024 && $0.$date.weekday == 1 } }
func form39() { _ = q.where { $0.$date.adding(.month, 1).startOf(.day) < $0.$shipped } }
func form40() {
  _ = q.select { ($0.$quantity * 3 + 1, -$0.$price, abs(1 - $0.$price), $0.$name.count) }
}
func form41() { _ = q.select { ($0.$nick ?? $0.$name) + "!" } }
func form42() { _ = q.select { $0.$name.replacing("a", with: "b").prefix(3).uppercased() } }
func form43() {
  _ = q.select { MagicExpression.when($0.$quantity % 2 == 0, then: $0.$price * 2, else: $0.$price) }
}
func form44() { _ = q.select(into: Pair.init) { ($0.$name, $0.$price * 2 + 1) } }
func form45() { _ = q.grouped { $0.$date.startOf(.month) }.order(byKey: .ascending).limit(3) }
func form46() {
  _ = q.grouped { $0.$quantity / 10 }.having { $0.count > 1 }.select {
    $0.average { $0.$price - $0.$discount }
  }
}
func form47() {
  _ = q.grouped(by: \.$name).select(into: Total.init) {
    ($0.sum { $0.$price * (1 - $0.$discount) }, $0.count)
  }
}
func form48() { _ = q.order { $0.$price * $0.$quantity.as(Double.self) }.select(\.$name) }
func form49() { _ = q.where(\.$quantity + 1 > 18 && 2 * \.$quantity < 7) }
func form50() { _ = q.where { $0.$stock == 3 && 4 == $0.$stock && $0.$minimum != $0.$stock } }
func form51() { _ = q.where { $0.$price > MagicQuery(Article.self).average(\.$price) } }
func form52() {
  _ = q.where { $0.$stock == MagicQuery(Article.self).where(\.$price > 1).max(\.$stock) }
}
func form53() {
  _ = q.where { outer in MagicQuery(Article.self).exists { $0.$price > outer.$price } }
}
func form54() {
  _ = q.where { $0.$name.in(MagicQuery(Article.self).select(\.$nick)) && !($0.$stock == nil) }
}
func form55() {
  _ = q.select { outer in
    (outer.$name, MagicQuery(Article.self).count { $0.$quantity * 2 < outer.$minimum + 1 })
  }
}
func form56() { _ = q.where { $0.$tags.contains("x") && $0.$tags.count > 3 && !$0.$tags.isEmpty } }
func form57() { _ = q.where { ($0.$sizes["x"] ?? 0) * 2 > $0.$quantity + 1 } }
func form58() {
  _ = q.select {
    ($0.$name, $0.rank(over: .partition(by: $0.$nick).order(by: $0.$price, .descending)))
  }
}
func form59() {
  _ = q.select {
    (
      $0.$name, $0.$price.sum(over: .partition(by: $0.$name, $0.$nick).order(by: $0.$date)),
      $0.$stock.average(over: .order(by: $0.$date).order(by: $0.$name).rows(-6...0)),
      $0.$price.lag(over: .order(by: $0.$date)), $0.$stock.lead(2, over: .all)
    )
  }
}
func form60() { _ = q.select { $0.$price / $0.$price.sum(over: .all) * 100 } }
func form61() { _ = q.select { $0.$price - ($0.$price.lag(over: .order(by: $0.$date)) ?? 0) } }
func form62() {
  _ = q.select {
    $0.$stock.max(over: .partition(by: $0.$date.year).order(by: $0.$date).rows(...(-1)))
  }
}
func form63() { _ = q.order { $0.ntile(4, over: .order(by: $0.$price - $0.$discount)) }.limit(3) }
func form64() {
  _ = q.grouped { ($0.$name, $0.$date.startOf(.month)) }.select {
    (
      $0.sum(\.$price),
      $0.rank(over: .partition(by: $0.key(\.$name)).order(by: $0.sum(\.$price), .descending)),
      $0.sum(\.$price) / $0.sum(\.$price).sum(over: .partition(by: $0.key(\.$name)))
    )
  }
}
func form65() {
  _ = q.grouped { $0.$date.startOf(.month) }.select {
    $0.sum { $0.$price * 2 }.sum(over: .order(by: $0.key { $0.$date.startOf(.month) }))
  }
}
func form66() {
  _ = q.select(into: Total.init) {
    ($0.$name, $0.$price.sum(over: .order(by: $0.$date)), $0.count(over: .partition(by: $0.$name)))
  }
}
func form67() {
  _ = q.top(3) { .partition(by: $0.$name).order(by: $0.$date, .descending) }.where { $0.$price > 1 }
}
func form68() {
  _ = q.grouped { ($0.$name, $0.$date.startOf(.month)) }
    .top(1) { .partition(by: $0.key(\.$name)).order(by: $0.sum { $0.$price * 2 }, .descending) }
    .select { $0.sum(\.$price) }
}
