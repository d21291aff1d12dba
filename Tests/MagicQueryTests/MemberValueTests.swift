import EngineConformance
import Foundation
import MagicData
import MagicQuery
import Testing

/// Distinct values and joined texts of members.
@Suite(.everyEngine) struct MemberValueTests {
  private let shop: Shop

  init() throws { shop = try Shop() }

  @Test func distinctValuesOfMembersAreCounted() throws {
    let counts = try shop.products.order(by: \.$name).select {
      (
        $0.$related.count, $0.$related.count(distinct: \.$name),
        $0.$related.count(distinct: { $0.$price * 2 }), $0.$related.count(distinct: \.$stock)
      )
    }.all()
    #expect(counts.map(\.0) == [0, 3, 0])
    #expect(counts.map(\.1) == [0, 2, 0])
    #expect(counts.map(\.2) == [0, 2, 0])
    #expect(counts.map(\.3) == [0, 1, 0])
    #expect(
      try shop.orders.where { $0.$lines.count(distinct: \.$product.$category.$name) == 2 }
        .select(\.$customer).all() == ["Ben"])
    #expect(try shop.orders.where { $0.$lines.count { $0.$quantity > 1 } == 2 }.count() == 1)
  }

  @Test func textsOfMembersAreJoined() throws {
    let texts = try shop.orders.order(by: \.$date).select {
      (
        $0.$lines.joined(\.$product.$name, separator: ", "),
        $0.$lines.joined(separator: "|") { "<" + $0.$product.$name.trimmed() + ">" }
      )
    }.all()
    func sorted(_ text: String?, _ separator: String) -> [String]? {
      text?.components(separatedBy: separator).sorted()
    }
    #expect(sorted(texts[0].0, ", ") == ["Tea", "Wine"])
    #expect(sorted(texts[0].1, "|") == ["<Tea>", "<Wine>"])
    #expect(texts[1].1 == "<Brötchen>")
    let related = try shop.products.order(by: \.$name).select {
      ($0.$related.joined(\.$name, separator: "+"), $0.$relating.joined(\.$name, separator: "+"))
    }.all()
    #expect(related.map { sorted($0.0, "+") } == [nil, [" Brötchen ", "Wine", "Wine"], nil])
    #expect(related.map(\.1) == ["Tea", nil, "Tea"])
    let marked = shop.products.where { $0.$related.joined(\.$name, separator: "?").like("%?%?%") }
    #expect(try marked.where(\.$name == "Tea").count() == 1)
    #expect(try marked.count() == 1)
  }

  @Test func distinctRowsOfASubqueryAreCounted() throws {
    let lines = MagicQuery(ShopLine.self)
    let counts = try shop.products.order(by: \.$price).select { product in
      (
        lines.where { $0.$product == product }.count(distinct: \.$quantity),
        lines.count(distinct: { $0.$product.$category.$name })
      )
    }.all()
    #expect(counts.map(\.0) == [2, 3, 2])
    #expect(counts.map(\.1) == [2, 2, 2])
  }
}
