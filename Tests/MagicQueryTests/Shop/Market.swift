import Foundation
import MagicQuery

struct Category: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var parent: Category?
  @ReverseMagicValue(\Category.$parent) var parts: AsyncReverseMagicSet<Category>

  init() {}

  init(_ name: String, in parent: Category?) {
    self.name = name
    self.parent = parent
  }
}

struct Supplier: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var country: String = ""

  init() {}

  init(_ name: String, _ country: String) {
    self.name = name
    self.country = country
  }
}

/// The attributes of a product, which are stored as JSON.
struct ProductDetails: MagicalCodable, Equatable {
  var color: String?
  var weight = 0
}

struct Product: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var price: Double = 0
  @MagicValue var stock: Int = 0
  @OptionMagicValue var reorderLevel: Int?
  @MagicValue var tags: [String] = []
  @MagicValue var details: ProductDetails = ProductDetails()
  @OptionMagicValue var category: Category?
  @OptionMagicValue var supplier: Supplier?
  @ReverseMagicValue(\OrderLine.$product) var lines: AsyncReverseMagicSet<OrderLine>

  init() {}
}

struct Employee: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var manager: Employee?
  @ReverseMagicValue(\Employee.$manager) var reports: AsyncReverseMagicSet<Employee>
  @ReverseMagicValue(\Order.$employee) var orders: AsyncReverseMagicSet<Order>

  init() {}

  init(_ name: String, under manager: Employee?) {
    self.name = name
    self.manager = manager
  }
}

struct Customer: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var city: String = ""
  @ReverseMagicValue(\Order.$customer) var orders: AsyncReverseMagicSet<Order>

  init() {}

  init(_ name: String, _ city: String) {
    self.name = name
    self.city = city
  }
}

struct OrderLine: MagicObject {
  @OptionMagicValue var product: Product?
  @MagicValue var price: Double = 0
  @MagicValue var quantity: Int = 0
  @MagicValue var discount: Double = 0
  @ReverseMagicValue(\Order.$lines) var order: AsyncReverseMagicSet<Order>
  @ReverseMagicValue(\ProductReturn.$line) var returns: AsyncReverseMagicSet<ProductReturn>

  init() {}
}

struct Order: MagicObject {
  @PrimaryMagicValue var number: Int
  @OptionMagicValue var customer: Customer?
  @OptionMagicValue var employee: Employee?
  @MagicValue var shipper: String = ""
  @MagicValue var date: Date = Date(timeIntervalSinceReferenceDate: 0)
  @MagicValue var due: Date = Date(timeIntervalSinceReferenceDate: 0)
  @OptionMagicValue var shipped: Date?
  @MagicValue(.owned) var lines: [OrderLine] = []

  init() {}
}

struct ProductReturn: MagicObject {
  @OptionMagicValue var line: OrderLine?
  @MagicValue var quantity: Int = 0

  init() {}

  init(of line: OrderLine, _ quantity: Int) {
    self.line = line
    self.quantity = quantity
  }
}

/// Amounts of money, as properties of objects and as expressions of queries.
extension OrderLine {
  var total: Double { price * Double(quantity) * (1 - discount) }

  var reduction: Double { price * Double(quantity) * discount }
}

extension MagicRow where Model == OrderLine {
  var total: MagicExpression<OrderLine, Double> {
    self.$price * self.$quantity.as(Double.self) * (1 - self.$discount)
  }
}

extension Order {
  var total: Double { lines.map(\.total).reduce(0, +) }
}

extension MagicRow where Model == Order {
  var total: MagicExpression<Order, Double> { self.$lines.sum { $0.total } }

  var month: MagicExpression<Order, Date> { self.$date.startOf(.month) }
}
