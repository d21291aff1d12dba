public import Foundation

/// A purchase as a plain struct: a row with numbers, a date, and a text that contains JSON.
public struct PlainPurchase: Sendable {
  /// The number of the purchase.
  public var number: Int
  /// Ten purchases are of one customer.
  public var customer: Int
  /// The time of the purchase.
  public var date: Date
  /// A real number.
  public var price: Double
  /// A whole number from 1 to 7.
  public var quantity: Int
  /// A value in the JSON: the name of one of ten cities.
  public var city: String
  /// A value in the JSON: a whole number.
  public var weight: Int

  /// Creates purchases with consecutive numbers, three in a day.
  public static func make(_ count: Int) -> [PlainPurchase] {
    (0..<count).map { index in
      PlainPurchase(
        number: index, customer: index * 7_919 % max(1, count / 10),
        date: Date(timeIntervalSinceReferenceDate: Double(index) * 28_800 + 0.5),
        price: Double(index % 1_000) / 8, quantity: index % 7 + 1, city: "City \(index % 10)",
        weight: index % 500)
    }
  }
}

/// A question about all purchases, which the database answers with one statement.
public enum PurchaseQuestion: Sendable {
  /// The sum of prices times quantities.
  case revenue
  /// The number and the sum of the prices of each month.
  case months
  /// The number of purchases of the same customer, for each purchase.
  case counts
  /// The sum of the prices of the same customer up to each purchase.
  case runningSums
  /// The number of purchases in one city.
  case city
}
