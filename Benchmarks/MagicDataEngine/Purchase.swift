import Foundation
import MagicData
import Workloads

/// The object of the queries that compute.
struct Purchase: MagicObject {
  @MagicValue var number: Int
  @MagicValue(.indexed) var customer: Int
  @MagicValue var date: Date
  @MagicValue var price: Double
  @MagicValue var quantity: Int
  @MagicValue var details: PurchaseDetails

  init() {}

  init(_ purchase: PlainPurchase) {
    number = purchase.number
    customer = purchase.customer
    date = purchase.date
    price = purchase.price
    quantity = purchase.quantity
    details = PurchaseDetails(city: purchase.city, weight: purchase.weight)
  }
}

/// Values that are stored as JSON.
struct PurchaseDetails: MagicalCodable {
  var city: String
  var weight: Int
}
