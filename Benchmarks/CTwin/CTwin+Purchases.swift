import CMagicSQLite
import Foundation
import Workloads

/// Queries that compute.
extension CTwin {
  static let purchaseTable = """
    CREATE TABLE purchase (z_index INTEGER PRIMARY KEY, number INTEGER NOT NULL,
      customer INTEGER NOT NULL, date NOT NULL, price NOT NULL, quantity INTEGER NOT NULL,
      details TEXT NOT NULL);
    CREATE INDEX purchase_customer ON purchase (customer)
    """

  func insertPurchases(_ purchases: [PlainPurchase]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare(
      """
      INSERT INTO purchase (number, customer, date, price, quantity, details)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    defer { sqlite3_finalize(statement) }
    for purchase in purchases {
      var details = #"{"city":"\#(purchase.city)","weight":\#(purchase.weight)}"#
      try details.withUTF8 { details in
        sqlite3_bind_int64(statement, 1, Int64(purchase.number))
        sqlite3_bind_int64(statement, 2, Int64(purchase.customer))
        sqlite3_bind_double(statement, 3, purchase.date.timeIntervalSince1970)
        sqlite3_bind_double(statement, 4, purchase.price)
        sqlite3_bind_int64(statement, 5, Int64(purchase.quantity))
        bind(details, statement, 6)
        try finish(statement)
      }
    }
    try execute("COMMIT")
  }

  func ask(_ question: PurchaseQuestion) throws -> Checksum {
    let statement = try prepare(Self.sql(of: question))
    defer { sqlite3_finalize(statement) }
    return switch question {
    case .revenue, .months, .city: try checksum(of: statement)
    case .counts: try counts(statement)
    case .runningSums: try runningSums(statement)
    }
  }

  /// Copies the rows into a list first, as the library does.
  private func counts(_ statement: OpaquePointer) throws -> Checksum {
    var counts: [Int] = []
    while try step(statement) { counts.append(Int(sqlite3_column_int64(statement, 0))) }
    var checksum = Checksum()
    for count in counts { checksum.add(count) }
    return checksum
  }

  private func runningSums(_ statement: OpaquePointer) throws -> Checksum {
    var sums: [(number: Int, sum: Double)] = []
    while try step(statement) {
      sums.append(
        (Int(sqlite3_column_int64(statement, 0)), sqlite3_column_double(statement, 1)))
    }
    var checksum = Checksum()
    for (number, sum) in sums {
      checksum.add(number)
      checksum.add(sum)
    }
    return checksum
  }

  /// Adds the columns of a few rows.
  private func checksum(of statement: OpaquePointer) throws -> Checksum {
    let count = sqlite3_column_count(statement)
    var checksum = Checksum()
    while try step(statement) {
      for column in 0..<count {
        if sqlite3_column_type(statement, column) == SQLITE_FLOAT {
          checksum.add(sqlite3_column_double(statement, column))
        } else {
          checksum.add(Int(sqlite3_column_int64(statement, column)))
        }
      }
    }
    return checksum
  }

  private static func sql(of question: PurchaseQuestion) -> String {
    switch question {
    case .revenue: "SELECT sum(price * quantity) FROM purchase"
    case .months:
      """
      SELECT CAST(strftime('%s', date, 'unixepoch', 'start of month') AS INTEGER), count(*),
        sum(price) FROM purchase GROUP BY 1
      """
    case .counts:
      """
      SELECT (SELECT count(*) FROM purchase AS other WHERE other.customer = purchase.customer)
      FROM purchase
      """
    case .runningSums:
      """
      SELECT number, sum(price) OVER (PARTITION BY customer ORDER BY number, z_index
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      FROM purchase
      """
    case .city:
      "SELECT count(*) FROM purchase WHERE json_extract(details, '$.city') = 'City 3'"
    }
  }
}
