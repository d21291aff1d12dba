import Foundation
import MagicData

struct Category: MagicObject {
  @PrimaryMagicValue var title: String
  @ReverseMagicValue(\Product.$categories) var products: AsyncReverseMagicSet<Product>

  init() {}
}

struct Company: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var note: String?
  @OptionMagicValue var rank: Int16?
  @ReverseMagicValue(\Order.$customerCompany) var orders: AsyncReverseMagicSet<Order>

  init() {}
}

struct Line: MagicObject {
  @MagicValue var quantity: Int32 = 1
  @ReverseMagicValue(\Order.$lines) var order: AsyncReverseMagicSet<Order>
  @OptionMagicValue var product: Product?

  init() {}
}

struct Order: MagicObject {
  @MagicValue var discount: Double = 0.5
  @MagicValue var isPaid: Bool = false
  @PrimaryMagicValue var number: Int
  @MagicValue var placed: Date = Date(timeIntervalSinceReferenceDate: 86400.0)
  @MagicValue var remark: String = "no \"remark\""
  @OptionMagicValue var total: Decimal?
  @OptionMagicValue var weight: Float?
  @OptionMagicValue(.onDelete(.deny)) var customerCompany: Company?
  @OptionMagicValue(.onDelete(.deny)) var customerPerson: Person?
  @MagicValue(.onDelete(.cascade)) var lines: [Line] = []
  @MagicValue var tags: MagicalSet<Tag> = []

  init() {}
}

struct Person: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var note: String?
  @OptionMagicValue var birthday: Date?
  @PrimaryMagicValue var id: UUID
  @OptionMagicValue var rank: Int32?
  @ReverseMagicValue(\Order.$customerPerson) var orders: AsyncReverseMagicSet<Order>
  @MagicValue var friends: MagicalSet<Person> = []

  init() {}
}

struct Product: MagicObject {
  @OptionMagicValue var link: URL?
  @OptionMagicValue var manual: Data?
  @OptionMagicValue var picture: MagicAsset<Data>?
  @OptionMagicValue var recipe: Data?
  @PrimaryMagicValue var sku: String
  @MagicValue var categories: [Category] = []
  @ReverseMagicValue(\Line.$product) var lines: AsyncReverseMagicSet<Line>
  @MagicValue var similar: MagicalSet<Product> = []

  init() {}
}

struct Tag: MagicObject {
  @MagicValue var label: String
  @ReverseMagicValue(\Order.$tags) var orders: AsyncReverseMagicSet<Order>

  init() {}
}
