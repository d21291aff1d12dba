import EngineConformance
import Foundation
import MagicQuery
import Testing

/// Questions about the products of a shop.
@Suite(.everyEngine) struct ProductQuestionTests {
  private let market: Market

  init() throws { market = try Market() }

  private var products: MagicQuery<Product, MagicObjectStore> { market.query(Product.self) }
  private var lines: MagicQuery<OrderLine, MagicObjectStore> { market.query(OrderLine.self) }

  private func names(_ isIncluded: (Product) -> Bool) -> [String] {
    market.products.filter(isIncluded).map(\.name).sorted()
  }

  private func found(
    _ predicate: (MagicRow<Product>) -> MagicPredicate<Product>
  ) throws -> [String] {
    try products.where(predicate).order(by: \.$name).select(\.$name).all()
  }

  private func lines(of product: Product) -> [OrderLine] {
    market.lines.filter { $0.product?.name == product.name }
  }

  @Test func theProductsThatAreBoughtTogetherWithOne() throws {
    let together =
      try lines
      .where { $0.$product.$name != "Brie" }
      .where { $0.$order.contains { $0.$lines.contains { $0.$product.$name == "Brie" } } }
      .grouped(by: \.$product.$name)
      .order(.descending) { $0.count }.order(byKey: .ascending)
      .count()
    let orders = market.orders.filter { $0.lines.contains { $0.product?.name == "Brie" } }
    let counts = orders.flatMap(\.lines).sums(by: { $0.product?.name ?? "" }) { _ in 1 }
    let expected = counts.filter { $0.key != "Brie" }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    #expect(together.map(\.key) == expected.map(\.key))
    #expect(together.map(\.count) == expected.map(\.value))
  }

  @Test func theProductsThatAreNeverReturnedAndNeverSold() throws {
    let returns = MagicQuery(ProductReturn.self)
    let kept = try found { product in
      !product.$lines.isEmpty && !returns.exists { $0.$line.$product == product }
    }
    let returned = Set(market.returns.map { $0.line?.product?.name })
    #expect(kept == names { !lines(of: $0).isEmpty && !returned.contains($0.name) })
    #expect(Set(kept).isSuperset(of: ["Brie", "Mint"]))
    #expect(try found { $0.$lines.isEmpty } == ["Saffron"])
  }

  @Test func theRateOfReturnsOfEachProduct() throws {
    let rates = try products.order(by: \.$name)
      .select {
        let sold = $0.$lines.sum { $0.$quantity }
        let returned = $0.$lines.sum { $0.$returns.sum { $0.$quantity } }
        return MagicExpression.when(
          sold > 0, then: returned.as(Double.self) / sold.as(Double.self), else: 0)
      }
      .all()
    let returned = market.returns.sums(by: { $0.line?.product?.name }, \.quantity)
    let expected = market.products.sorted { $0.name < $1.name }.map { product in
      let sold = lines(of: product).map(\.quantity).reduce(0, +)
      return sold == 0 ? 0 : Double(returned[product.name] ?? 0) / Double(sold)
    }
    #expect(rates == expected)
    #expect(rates.contains { $0 > 0 })
  }

  @Test func theProductsToOrderFromEachSupplier() throws {
    let sections = try products.where { $0.$stock < $0.$reorderLevel }
      .order { $0.$stock - ($0.$reorderLevel ?? 0) }.order(by: \.$name)
      .sectioned(by: \.$supplier.$name)
      .all()
    let low = market.products.filter { $0.stock < $0.reorderLevel ?? 0 }
    #expect(
      sections.map(\.key) == Set(low.map { $0.supplier?.name }).sorted { $0 ?? "" < $1 ?? "" })
    for section in sections {
      let expected = low.filter { $0.supplier?.name == section.key }
        .sorted {
          ($0.stock - ($0.reorderLevel ?? 0), $0.name) < (
            $1.stock - ($1.reorderLevel ?? 0), $1.name
          )
        }
      #expect(section.objects.map(\.name) == expected.map(\.name))
    }
    #expect(low.count > 4)
  }

  @Test func theValueOfTheStockByCountry() throws {
    let values = try products.grouped(by: \.$supplier.$country).order(byKey: .ascending)
      .select { $0.sum { $0.$price * $0.$stock.as(Double.self) } }
      .all()
    let sums = market.products.sums(by: { $0.supplier?.country }) { $0.price * Double($0.stock) }
    #expect(values.map(\.key) == ["Finland", "Italy", "Norway"])
    #expect(values.map(\.value) == values.map { sums[$0.key] })
  }

  @Test func theProductsAboveTheAveragePriceOfTheirCategory() throws {
    let all = MagicQuery(Product.self)
    let dear = try found { product in
      product.$price
        > all.where { $0.$category.$name == product.$category.$name }.average(\.$price)
    }
    #expect(
      dear
        == names { product in
          let prices = market.products.filter { $0.category?.name == product.category?.name }
            .map(\.price)
          return product.price > prices.reduce(0, +) / Double(prices.count)
        })
    #expect(dear.count > 3)
  }

  @Test func theDistanceToTheCheapestProductOfTheCategory() throws {
    let rows = try products.order(by: \.$name)
      .select {
        (
          $0.$price - $0.$price.min(over: .partition(by: $0.$category.$name)),
          $0.$name.firstValue(
            over: .partition(by: $0.$category.$name).order(by: $0.$price, .descending))
        )
      }
      .all()
    for (row, product) in zip(rows, market.products.sorted { $0.name < $1.name }) {
      let others = market.products.filter { $0.category?.name == product.category?.name }
      #expect(row.0 == others.map(\.price).min().map { product.price - $0 })
      #expect(row.1 == others.max { $0.price < $1.price }?.name)
    }
    #expect(rows.count == market.products.count)
  }

  @Test func theQuartersOfThePrices() throws {
    let parts = try products.order(by: \.$price).order(by: \.$name)
      .select { $0.ntile(4, over: .order(by: $0.$price).order(by: $0.$name)) }
      .all()
    #expect(parts == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4])
  }

  @Test func theAttributesOfProducts() throws {
    let light = try found {
      $0.$details[json: "color", as: String.self] == "green"
        && $0.$details[json: "weight", as: Int.self] < 300
    }
    #expect(light == names { $0.details.color == "green" && $0.details.weight < 300 })
    let colors = try products.grouped { $0.$details[json: "color", as: String.self] }
      .order(byKey: .ascending)
      .select { $0.max { $0.$details[json: "weight", as: Int.self] } }
      .all()
    let grouped = Dictionary(grouping: market.products, by: \.details.color)
    #expect(colors.map(\.key) == [nil, "green", "red", "white"])
    #expect(colors.map(\.value) == colors.map { grouped[$0.key]?.map(\.details.weight).max() })
  }

  @Test func theProductsWithTags() throws {
    #expect(
      try found { $0.$tags.contains("organic") && !$0.$tags.contains("gift") }
        == names { $0.tags.contains("organic") && !$0.tags.contains("gift") })
    #expect(
      try found { $0.$tags.contains { $0.hasPrefix("g") || $0.hasPrefix("f") } }
        == names { $0.tags.contains { $0.hasPrefix("g") || $0.hasPrefix("f") } })
    #expect(try found { $0.$tags.count > 1 } == names { $0.tags.count > 1 })
    let revenue = try lines.where { $0.$product.$tags.contains("organic") }.sum { $0.total }
    let expected = market.lines.filter { $0.product?.tags.contains("organic") == true }
    #expect(revenue == expected.map(\.total).reduce(0, +))
  }

  @Test func theLastSaleOfEachProduct() throws {
    let latest = try products.order(by: \.$name)
      .select { ($0.$name, $0.$lines.max { $0.$order.max { $0.$date } }) }
      .all()
    let expected = market.products.sorted { $0.name < $1.name }.map { product in
      market.orders.last { $0.lines.contains { $0.product?.name == product.name } }?.date
    }
    #expect(latest.map(\.1) == expected)
    #expect(latest.last?.1 != nil)
  }

  @Test func theRevenueOfACategoryWithAllItsParts() throws {
    let revenue = try ["Goods", "Drinks", "Tea"].map { name in
      let parts = MagicQuery(Category.self)
        .descendants(by: \.$parent, includingStart: true) { $0.$name == name }
      return try lines.where { $0.$product.$category.in(parts) }.sum { $0.total }
    }
    func total(_ names: Set<String?>) -> Double {
      market.lines.filter { names.contains($0.product?.category?.name) }.map(\.total).reduce(0, +)
    }
    #expect(
      revenue == [
        total(["Tea", "Wine", "Bread", "Cheese"]), total(["Tea", "Wine"]), total(["Tea"]),
      ])
  }

  @Test func theTreeAndThePathOfACategory() throws {
    let categories = market.query(Category.self)
    let tree =
      try categories
      .descendants(of: market.categories[0], by: \.$parts, includingStart: true)
      .order { $0.depth }.order(by: \.$name)
      .select { ($0.$name, $0.depth) }
      .all()
    #expect(tree.map(\.0) == ["Goods", "Drinks", "Food", "Bread", "Cheese", "Tea", "Wine"])
    #expect(tree.map(\.1) == [0, 1, 1, 2, 2, 2, 2])
    let path =
      try categories
      .ancestors(of: market.categories[3], by: \.$parent, includingStart: true)
      .order(.descending) { $0.depth }
      .select(\.$name).all()
    #expect(path == ["Goods", "Drinks", "Tea"])
  }
}
