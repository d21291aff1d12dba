import EngineConformance
import Foundation
import MagicData
import MagicEngine
import MagicQuery
import Testing

/// Subqueries in conditions, selections, orders and writes.
@Suite(.everyEngine) struct SubqueryTests {
  private let shop: Shop

  init() throws { shop = try Shop() }

  private func names(
    _ predicate: (MagicRow<ShopProduct>) -> MagicPredicate<ShopProduct>
  ) throws -> [String] {
    try shop.products.where(predicate).order(by: \.$price).select { $0.$name.trimmed() }.all()
  }

  @Test func aScalarIsComparedInOneStatement() throws {
    let all = MagicQuery(ShopProduct.self)
    #expect(try names { $0.$price > all.average(\.$price) } == ["Wine"])
    #expect(try names { $0.$price == all.max(\.$price) } == ["Wine"])
    #expect(try names { $0.$price == all.min { $0.$price } } == ["Brötchen"])
    #expect(try names { $0.$stock == all.max(\.$stock) } == ["Tea"])
    #expect(try names { $0.$stock == all.min { $0.$stock } } == ["Brötchen"])
    #expect(try names { all.average { $0.$price } > $0.$price } == ["Brötchen", "Tea"])
    #expect(try names { all.where(\.$price > 100).average(\.$price) < $0.$price } == [])
    #expect(
      try names { $0.$price * 2 > all.where(\.$price < 20).sum(\.$price) } == ["Tea", "Wine"])
  }

  @Test func aScalarIsSelectedAndOrdersRows() throws {
    let lines = MagicQuery(ShopLine.self)
    let counts = try shop.products
      .order(.descending) { product in lines.where { $0.$product == product }.sum(\.$quantity) }
      .select { product in
        (
          product.$name.trimmed(),
          lines.where { $0.$product == product }.sum(\.$quantity),
          lines.count { $0.$product == product && $0.$discount > 0 },
          MagicQuery(ShopOrder.self).count()
        )
      }
      .all()
    #expect(counts.map(\.0) == ["Brötchen", "Tea", "Wine"])
    #expect(counts.map(\.1) == [104, 13, 4])
    #expect(counts.map(\.2) == [1, 0, 1])
    #expect(counts.map(\.3) == [5, 5, 5])
  }

  @Test func aValueIsInASelection() throws {
    let large = MagicQuery(ShopLine.self).where(\.$quantity >= 10)
    #expect(try names { $0.$price.in(large.select(\.$price)) } == ["Brötchen", "Tea"])
    #expect(try names { $0.$price.in(large.where(\.$quantity > 500).select(\.$price)) } == [])
    #expect(
      try names {
        $0.$category.$name.in(
          MagicQuery(ShopCategory.self).where(\.$name == "Food").select(\.$name))
      } == ["Brötchen"])
    #expect(try names { $0.$minimum.in(MagicQuery(ShopProduct.self).select(\.$stock)) }.count == 3)
    #expect(
      try names { $0.$stock.in(MagicQuery(ShopProduct.self).select(\.$stock)) } == [
        "Brötchen", "Tea",
      ])
    #expect(try names { !$0.$stock.in(MagicQuery(ShopProduct.self).select(\.$stock)) } == ["Wine"])
    #expect(
      try names {
        !$0.$minimum.in(MagicQuery(ShopProduct.self).where(\.$name == "Wine").select(\.$stock))
      }.count == 3)
  }

  @Test func anObjectIsInAQuery() throws {
    let food = MagicQuery(ShopCategory.self).where { $0.$name.hasPrefix("F") }
    #expect(try names { $0.$category.in(food) } == ["Brötchen"])
    #expect(try names { !$0.$category.in(food) } == ["Tea", "Wine"])
    let cheap = MagicQuery(ShopProduct.self).order(by: \.$price).offset(1).limit(1)
    #expect(try shop.lines.where { $0.$product.in(cheap) }.count() == 3)
    #expect(try shop.lines.where { $0.$product.in(cheap.offset(5)) }.count() == 0)
  }

  @Test func aQueryIsRestrictedByTheRowsOfAnotherType() throws {
    let unsold = try names { product in
      !MagicQuery(ShopLine.self).exists { $0.$product == product && $0.$quantity > 3 }
    }
    #expect(unsold == ["Wine"])
    let dear = try shop.orders.where { order in
      MagicQuery(ShopProduct.self).exists {
        $0.$name.count > order.$customer.count.outer() && $0.$price > 10
      }
    }.order(by: \.$date).select(\.$customer).all()
    #expect(dear == ["Ada", "Ben", "Ada", "Ben"])
    #expect(try names { _ in MagicQuery(ShopOrder.self).exists() }.count == 3)
    #expect(try names { _ in MagicQuery(ShopOrder.self).where(\.$customer == "x").exists() } == [])
  }

  @Test func rowsOfTheSameTypeAreDistinguished() throws {
    let all = MagicQuery(ShopProduct.self)
    func cheaper(_ product: MagicRow<ShopProduct>) -> MagicExpression<ShopProduct, Int> {
      all.count { $0.$price < product.$price }
    }
    #expect(try names { cheaper($0) == 2 } == ["Wine"])
    // One query is the outer and the inner one, and its closures have different rows.
    let outer = all.where { product in all.where { $0.$price < product.$price }.exists() }
    #expect(
      try outer.order(by: \.$price).bound(to: shop.store).select(\.$name).all() == ["Tea", "Wine"])
    let nested = outer.where { product in
      !outer.where { other in other.$price > product.$price }.exists()
    }
    #expect(try nested.bound(to: shop.store).select(\.$name).all() == ["Wine"])
    let third = all.where { a in
      all.exists { b in
        b.$price < a.$price && all.exists { c in c.$price < b.$price && c.$price < a.$price }
      }
    }
    #expect(try third.bound(to: shop.store).select(\.$name).all() == ["Wine"])
  }

  @Test func aRelationshipOfAnOuterRowIsFollowedInASubquery() throws {
    let all = MagicQuery(ShopProduct.self)
    func rivals(_ product: MagicRow<ShopProduct>) -> MagicQuery<ShopProduct, MagicUnbound> {
      all.where { $0.$category.$name == product.$category.$name }
    }
    #expect(try names { $0.$price > rivals($0).average(\.$price) } == ["Wine"])
    #expect(try names { rivals($0).count() == 1 } == ["Brötchen"])
    #expect(
      try names { product in
        product.$name.in(
          rivals(product).top(1) { .order(by: $0.$price) }.select(\.$name))
      } == ["Brötchen", "Tea"])
    let nested = try names { product in
      all.exists { $0.$stock == 0 && rivals(product).count() == 2 }
    }
    #expect(nested == ["Tea", "Wine"])
    let changed = try shop.products.where { rivals($0).count() == 1 }
      .update(set: .set(\.$price, to: { rivals($0).sum(\.$price) * 2 }))
    #expect(changed == 1)
    #expect(try names { $0.$price == 1 } == ["Brötchen"])
  }

  @Test func theFirstValueOfASelectionIsAnExpression() throws {
    let best = try shop.products.order(by: \.$price).select { product in
      MagicQuery(ShopLine.self).where { $0.$product == product }
        .order(by: \.$quantity, .descending).select(\.$quantity).first()
    }.all()
    #expect(best == [100, 10, 3])
    let stock = try shop.orders.limit(1).select { _ in
      MagicQuery(ShopProduct.self).where(\.$name == "Wine").select(\.$stock).first()
    }.all()
    #expect(stock == [nil])
    let none = try shop.orders.limit(1).select { _ in
      MagicQuery(ShopProduct.self).where(\.$name == "x").select(\.$name).first()
    }.all()
    #expect(none == [nil])
  }

  @Test func aLimitRestrictsTheRowsOfASubquery() throws {
    let two = MagicQuery(ShopProduct.self).order(by: \.$price, .descending).limit(2)
    #expect(try names { _ in two.sum(\.$price) == 24 }.count == 3)
    #expect(try names { _ in two.count() == 2 }.count == 3)
    #expect(try names { _ in two.offset(2).count() == 1 }.count == 3)
    #expect(try names { _ in two.offset(3).exists() } == [])
    #expect(
      try names { _ in MagicQuery(ShopProduct.self).order(.random).limit(1).count() == 1 }.count
        == 3)
  }

  @Test func aSubqueryFollowsRelationships() throws {
    let drinks = MagicQuery(ShopLine.self).where(\.$product.$category.$name == "Drinks")
    #expect(try names { $0.$price.in(drinks.select(\.$product.$price)) } == ["Tea", "Wine"])
    let orders = shop.orders.where { order in
      order.$lines.contains { line in
        MagicQuery(ShopProduct.self).exists { $0.$price == line.$price.outer() && $0.$stock == 0 }
      }
    }
    #expect(try orders.count() == 2)
    let totals = try shop.orders.grouped(by: \.$employee).order(byKey: .ascending)
      .having { _ in MagicQuery(ShopOrder.self).count() == 5 }
      .select { $0.sum { _ in MagicQuery(ShopProduct.self).count() } }.all()
    #expect(totals.map(\.value) == [9, 6])
  }

  @Test func deletesAndUpdatesTakeSubqueries() throws {
    let all = MagicQuery(ShopProduct.self)
    let changed = try shop.products.where { $0.$price < all.average(\.$price) }
      .update(set: .set(\.$price, to: { $0.$price + all.sum(\.$price) }))
    #expect(changed == 2)
    #expect(try shop.products.order(by: \.$price).select(\.$price).all() == [20, 25, 28.5])
    let failing = {
      try shop.products.update(set: .set(\.$minimum, to: { _ in all.count() * Int.max }))
    }
    #expect(code { try failing() } == .cannotEncode)
    let lines = MagicQuery(ShopLine.self)
    #expect(
      try shop.lines.where { $0.$quantity.as(Double.self) > lines.average(\.$quantity) }
        .delete() == 1)
    let unused = shop.products.where { product in !lines.exists { $0.$product == product } }
    #expect(try unused.delete() == 0)
    #expect(try shop.lines.where { $0.$product.in(all.where(\.$stock == 0)) }.delete() == 1)
    #expect(try unused.delete() == 1)
  }

  @Test func aTypeWithoutTableHasNoRows() throws {
    let residents = MagicQuery(Resident.self)
    #expect(try names { _ in residents.exists() } == [])
    #expect(try names { $0.$name.in(residents.select(\.$name)) } == [])
    #expect(try names { _ in residents.count() == 0 && residents.sum(\.$age) == 0 }.count == 3)
    try shop.store.update(Resident("Tea"))
    #expect(try names { $0.$name.in(residents.select(\.$name)) } == ["Tea"])
  }

  @Test func transactionsSeeTheirOwnRowsInSubqueries() throws {
    try shop.store.transaction { transaction in
      try transaction.update(ShopProduct("Gold", 1000, nil))
      let dear = transaction.query(ShopProduct.self)
        .where { $0.$price > MagicQuery(ShopProduct.self).average(\.$price) }
      #expect(try dear.select(\.$name).all() == ["Gold"])
    }
  }

  private func shape(
    _ predicate: (MagicRow<ShopProduct>) -> MagicPredicate<ShopProduct>
  ) throws -> QueryShape {
    let query = MagicQuery(ShopProduct.self).where(predicate)
    return try PreparedQuery(ShopProduct.self, query.plan, .count).shape
  }

  @Test func subqueriesThatDifferInValuesHaveOneShape() throws {
    let shapes = try [1.0, 2].map { value in
      try shape { product in
        product.$price > MagicQuery(ShopProduct.self).where(\.$price > value).average(\.$price)
          && MagicQuery(ShopLine.self).where { $0.$price > value }
            .exists { $0.$product == product && $0.$discount < value }
          && product.$price.in(
            MagicQuery(ShopLine.self).order(by: \.$price).limit(Int(value)).select(\.$price))
      }
    }
    #expect(shapes[0] == shapes[1])
    #expect(shapes[0].hashValue == shapes[1].hashValue)
  }

  @Test func subqueriesThatDifferHaveDifferentShapes() throws {
    let (all, lines) = (MagicQuery(ShopProduct.self), MagicQuery(ShopLine.self))
    let shapes = try [
      shape { _ in all.exists() }, shape { _ in lines.exists() }, shape { _ in all.count() == 1 },
      shape { _ in all.limit(1).exists() }, shape { _ in all.offset(1).exists() },
      shape { _ in all.where(\.$price > 1).exists() },
      shape { _ in all.where(\.$minimum > 1).exists() },
      shape { outer in all.exists { $0.$price > outer.$price } },
      shape { outer in all.exists { outer.$price > $0.$price } },
      shape { _ in all.exists { $0.$price > $0.$price } },
      shape { $0.$price.in(all.select(\.$price)) }, shape { $0.$price.in(lines.select(\.$price)) },
      shape { $0.$price.in(all.order(by: \.$price).limit(1).select(\.$price)) },
      shape { $0.$price.in(all.order(by: \.$price, .descending).limit(1).select(\.$price)) },
      shape { $0.$price > all.sum(\.$price) }, shape { $0.$price > all.max(\.$price) },
    ]
    #expect(Set(shapes).count == shapes.count)
  }

  @Test func mistakesInSubqueriesAreThrown() throws {
    let all = MagicQuery(ShopProduct.self)
    #expect(code { try names { _ in all.limit(-1).exists() } } == .invalidQuery)
    let distinct = all.select(\.$price).distinct().limit(1)
    #expect(code { try names { $0.$price.in(distinct) } } == .invalidQuery)
    let row = LeakedRow()
    _ = all.where {
      row.price = $0.$price; return $0.$price > 1
    }
    #expect(code { try names { $0.$price > row.price } } == .invalidQuery)
  }

  private final class LeakedRow {
    var price = MagicExpression<ShopProduct, Double>.when(
      MagicQuery(ShopOrder.self).exists(), then: 1, else: 2)
  }

  @Test func theRegionOfAQueryContainsTheTablesOfItsSubqueries() throws {
    let query = shop.store.query(ShopProduct.self)
      .where { product in
        MagicQuery(ShopOrder.self).exists { $0.$customer == product.$name.outer() }
      }
    let region = try shop.store._read {
      try $0.reader.region(of: PreparedQuery(ShopProduct.self, query.plan, .count))
    }
    #expect(region.tables.keys.contains("shoporder"))
    #expect(region.tables["shoporder"] != nil && region.tables["shopproduct"] != nil)
  }
}
