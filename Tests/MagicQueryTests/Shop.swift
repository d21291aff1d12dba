import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport

struct ShopCategory: MagicObject {
  @MagicValue var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

struct ShopProduct: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var price: Double = 0
  @OptionMagicValue var stock: Int?
  @MagicValue var minimum: Int = 0
  @OptionMagicValue var category: ShopCategory?
  @MagicValue var related: [ShopProduct] = []
  @ReverseMagicValue(\ShopProduct.$related) var relating: AsyncReverseMagicSet<ShopProduct>

  init() {}

  init(_ name: String, _ price: Double, stock: Int? = nil, _ category: ShopCategory?) {
    self.name = name
    self.price = price
    self.stock = stock
    self.category = category
  }
}

struct ShopLine: MagicObject {
  @OptionMagicValue var product: ShopProduct?
  @MagicValue var price: Double = 0
  @MagicValue var quantity: Int = 0
  @MagicValue var discount: Double = 0
  @ReverseMagicValue(\ShopOrder.$lines) var order: AsyncReverseMagicSet<ShopOrder>

  init() {}

  init(_ product: ShopProduct, _ quantity: Int, discount: Double = 0) {
    self.product = product
    self.price = product.price
    self.quantity = quantity
    self.discount = discount
  }
}

struct ShopOrder: MagicObject {
  @MagicValue var customer: String = ""
  @MagicValue var employee: String = ""
  @MagicValue var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  @OptionMagicValue var shipped: Date?
  @MagicValue(.owned) var lines: [ShopLine] = []

  init() {}

  init(_ customer: String, by employee: String, _ date: String, _ lines: [ShopLine]) {
    self.customer = customer
    self.employee = employee
    self.date = day(date)
    self.lines = lines
  }
}

/// The beginning of a day in UTC, written as year-month-day.
func day(_ text: String) -> Date {
  (try? Date("\(text)T00:00:00Z", strategy: .iso8601)) ?? .distantPast
}

struct ShopRevenue: Equatable {
  var category: String?
  var total: Double
  var orders: Int
}

/// A shop with three products in two categories, and five orders of two employees.
struct Shop {
  let test: TestStore

  var store: MagicObjectStore { test.store }
  var products: MagicQuery<ShopProduct, MagicObjectStore> { store.query(ShopProduct.self) }
  var lines: MagicQuery<ShopLine, MagicObjectStore> { store.query(ShopLine.self) }
  var orders: MagicQuery<ShopOrder, MagicObjectStore> { store.query(ShopOrder.self) }

  init() throws {
    test = try TestStore()
    let (drinks, food) = (ShopCategory("Drinks"), ShopCategory("Food"))
    let tea = ShopProduct("Tea", 4, stock: 39, drinks)
    let wine = ShopProduct("Wine", 20, drinks)
    let bread = ShopProduct(" Brötchen ", 0.5, stock: 0, food)
    tea.related = [wine, wine, bread]
    let orders = [
      ShopOrder(
        "Ada", by: "Nancy", "2024-01-15", [ShopLine(tea, 10), ShopLine(wine, 1, discount: 0.5)]),
      ShopOrder("Ben", by: "Nancy", "2024-01-31", [ShopLine(bread, 100, discount: 0.25)]),
      ShopOrder("Ada", by: "Nancy", "2024-02-29", [ShopLine(wine, 3)]),
      ShopOrder("Cleo", by: "Robert", "2024-02-01", [ShopLine(tea, 1)]),
      ShopOrder("Ben", by: "Robert", "2025-02-01", [ShopLine(tea, 2), ShopLine(bread, 4)]),
    ]
    orders[0].shipped = day("2024-01-18")
    try test.store.update(contentsOf: orders)
  }
}
