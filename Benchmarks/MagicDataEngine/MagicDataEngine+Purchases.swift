import Foundation
import MagicData
import Workloads

extension MagicDataEngine {
  func insertPurchases(_ purchases: [PlainPurchase]) -> Job {
    let purchases = purchases.map(Purchase.init)
    return { _ in
      try await magic.update(contentsOf: purchases)
      return Checksum()
    }
  }

  func ask(_ question: PurchaseQuestion) -> Job {
    let purchases = magic.query(Purchase.self)
    return { _ in
      var checksum = Checksum()
      switch question {
      case .revenue:
        checksum.add(try await purchases.sum { $0.$price * $0.$quantity.as(Double.self) })
      case .months:
        let months = try await purchases.grouped { $0.$date.startOf(.month) }
          .select { ($0.count, $0.sum(\.$price)) }.all()
        for month in months {
          checksum.add(Int(month.key.timeIntervalSince1970))
          checksum.add(month.values.0)
          checksum.add(month.values.1)
        }
      case .counts:
        let counts = try await purchases.select { purchase in
          MagicQuery(Purchase.self).count { $0.$customer == purchase.$customer }
        }
        .all()
        for count in counts { checksum.add(count) }
      case .runningSums:
        let sums = try await purchases.select {
          (
            $0.$number, $0.$price.sum(over: .partition(by: $0.$customer).order(by: $0.$number))
          )
        }
        .all()
        for (number, sum) in sums {
          checksum.add(number)
          checksum.add(sum)
        }
      case .city:
        checksum.add(
          try await purchases.where { $0.$details[json: "city", as: String.self] == "City 3" }
            .count())
      }
      return checksum
    }
  }
}
