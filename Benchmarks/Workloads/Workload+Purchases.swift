extension Workload {
  static let purchases = [
    of(.revenue, "Q5", "sum up a computed value"),
    of(.months, "Q6", "group by month, with a count and a sum"),
    of(.counts, "Q7", "count the rows with the same customer, for each row"),
    of(.runningSums, "Q8", "running sums over windows"),
    of(.city, "Q9", "count rows by a member of JSON"),
  ]

  /// A workload of one query of all purchases. An operation is a row that it reads.
  private static func of(_ question: PurchaseQuestion, _ name: String, _ title: String) -> Workload
  {
    Workload(name, title, target: 1.1) { count in
      Steps(
        before: [.insertPurchases(PlainPurchase.make(count))], measured: .ask(question),
        operations: count)
    }
  }
}
