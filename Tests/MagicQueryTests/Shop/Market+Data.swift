import EngineConformance
import Foundation
import MagicQuery
import MagicTestSupport

/// A shop with the orders of two years. All amounts of money are multiples of 1/16, so their sums are
/// exact.
struct Market {
  let test: TestStore
  let categories: [Category]
  let products: [Product]
  let employees: [Employee]
  let customers: [Customer]
  let orders: [Order]
  let returns: [ProductReturn]

  var store: MagicObjectStore { test.store }

  /// The first day after the last order.
  let today = Self.date(731)

  init() throws {
    test = try TestStore()
    var random = SeededRandom(7)
    categories = Self.makeCategories()
    products = Self.makeProducts(in: categories)
    employees = Self.makeEmployees()
    let cities = ["Köln", "Oslo", "Rome", "Paris"]
    customers = [
      "Ada", "Ben", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hanna", "Ida", "Jörg", "Käthe", "Leo",
      "JÖRDIS", "Max", "Nora", "Otto",
    ]
    .enumerated().map { Customer($1, cities[$0 % cities.count]) }
    let (customers, employees, products) = (customers, employees, products)
    let orders = (1...150).map { number in
      let order = Order()
      order.number = number
      // One customer orders in the first half only, two order once, and one never.
      let rare = number < 3 ? 12 + number : number % 20 == 0 && number < 80 ? 12 : nil
      order.customer = customers[rare ?? random.below(12)]
      order.employee = employees[random.below(employees.count)]
      // One product is not sold.
      order.lines = Self.makeLines(of: products.dropLast(), &random)
      Self.setDates(of: order, &random)
      return order
    }
    self.orders = orders
    returns = orders.flatMap(\.lines)
      .filter { !["Mint", "Brie"].contains($0.product?.name) }.enumerated()
      .filter { $0.offset % 14 == 3 }.map { ProductReturn(of: $0.element, 1 + $0.offset % 2) }
    try store.update(contentsOf: categories)
    try store.update(contentsOf: employees)
    try store.update(contentsOf: products)
    try store.update(contentsOf: customers)
    try store.update(contentsOf: orders)
    try store.update(contentsOf: returns)
  }

  func query<Model: MagicObject>(_ type: Model.Type) -> MagicQuery<Model, MagicObjectStore> {
    store.query(type)
  }

  /// A number of days after 2023-01-01.
  static func date(_ days: Int, hour: Int = 0) -> Date {
    let hours = (8035 + days) * 24 + hour
    return Date(timeIntervalSinceReferenceDate: Double(hours) * 3600)
  }
}

extension Market {
  private static func makeCategories() -> [Category] {
    let goods = Category("Goods", in: nil)
    let (drinks, food) = (Category("Drinks", in: goods), Category("Food", in: goods))
    let others = [("Tea", drinks), ("Wine", drinks), ("Bread", food), ("Cheese", food)]
    return [goods, drinks, food] + others.map { Category($0, in: $1) }
  }

  private static func makeProducts(in categories: [Category]) -> [Product] {
    let suppliers = [
      Supplier("Aalto", "Finland"), Supplier("Berg", "Norway"), Supplier("Costa", "Italy"),
      Supplier("Dal", "Norway"),
    ]
    let names =
      [
        "Assam": "Tea", "Darjeeling": "Tea", "Sencha": "Tea", "Mint": "Tea", "Barolo": "Wine",
        "Chianti": "Wine", "Merlot": "Wine", "Rye": "Bread", "Baguette": "Bread",
        "Pretzel": "Bread",
        "Brie": "Cheese", "Gouda": "Cheese", "Feta": "Cheese", "Saffron": nil,
      ] as KeyValuePairs<String, String?>
    let tags = ["organic", "new", "gift", "fragile"]
    let colors = ["green", "red", "white"]
    return names.enumerated().map { index, element in
      let product = Product()
      product.name = element.key
      product.price = Double(2 + index * 5 % 13) + Double(index % 4) / 4
      product.stock = index * 7 % 20
      product.reorderLevel = index % 5 == 4 ? nil : 8 + index % 3
      product.tags = tags.enumerated().filter { (index + $0.offset) % 3 == 0 }.map(\.element)
      product.details = ProductDetails(
        color: index % 4 == 3 ? nil : colors[index % 3], weight: 100 + index * 30)
      product.category = categories.first { $0.name == element.value }
      product.supplier = suppliers[index % suppliers.count]
      return product
    }
  }

  private static func makeEmployees() -> [Employee] {
    let boss = Employee("Nancy", under: nil)
    let (ann, bob) = (Employee("Ann", under: boss), Employee("Bob", under: boss))
    let cid = Employee("Cid", under: ann)
    return [boss, ann, bob, cid, Employee("Dan", under: ann), Employee("Emma", under: cid)]
  }

  private static func setDates(of order: Order, _ random: inout SeededRandom) {
    order.shipper = ["Quick", "Steady", "Union"][random.below(3)]
    let days = order.number * 730 / 150 - random.below(4)
    order.date = date(days, hour: 8 + random.below(12))
    order.due = order.date + 7 * 86_400
    guard order.number % 11 != 0 else { return }
    order.shipped = order.date + Double(12 + random.below(228)) * 3600
  }

  private static func makeLines(
    of products: some Sequence<Product>, _ random: inout SeededRandom
  ) -> [OrderLine] {
    products.shuffled(using: &random).prefix(1 + random.below(4)).map { product in
      let line = OrderLine()
      line.product = product
      line.price = product.price
      line.quantity = 1 + random.below(12)
      line.discount = [0, 0, 0.25, 0.5][random.below(4)]
      return line
    }
  }
}

extension Market {
  var lines: [OrderLine] { orders.flatMap(\.lines) }

  func orders(of customer: Customer) -> [Order] {
    orders.filter { $0.customer?.name == customer.name }
  }
}

/// The calendar of the expressions of dates.
let calendar: Calendar = {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = .gmt
  return calendar
}()

extension Date {
  var month: Date {
    calendar.date(from: calendar.dateComponents([.year, .month], from: self)) ?? .distantPast
  }

  var year: Int { calendar.component(.year, from: self) }
}

extension Sequence {
  func sums<Key: Hashable, Value: AdditiveArithmetic>(
    by key: (Element) -> Key, _ value: (Element) -> Value
  ) -> [Key: Value] {
    reduce(into: [:]) { $0[key($1), default: .zero] += value($1) }
  }
}

/// Whether two numbers are equal, except for their last digits.
func isClose(_ left: Double?, _ right: Double?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return abs(left - right) <= 1e-9 * Swift.max(1, abs(right))
}
