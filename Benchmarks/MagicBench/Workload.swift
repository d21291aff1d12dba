/// One measured task, and what has to be there before it.
struct Workload: Sendable {
  let name: String
  let title: String
  let durability: Durability
  /// Whether the database holds the people already, the same for every run.
  let isFilled: Bool
  let kind: Kind

  enum Kind: Sendable {
    case insert
    case saveOneByOne
    case fetchAll(readingValues: Bool)
    case lookUp
  }

  /// The operations of one run, for a database of so many people.
  func operations(_ count: Int) -> Int {
    switch kind {
    case .insert, .fetchAll: count
    case .saveOneByOne: count / 50
    case .lookUp: count / 2
    }
  }

  static let all = [
    Workload(
      name: "W1", title: "insert all in one transaction", durability: .normal, isFilled: false,
      kind: .insert),
    Workload(
      name: "W2", title: "durable saves one by one", durability: .full, isFilled: false,
      kind: .saveOneByOne),
    Workload(
      name: "W3", title: "fetch all, every value read", durability: .normal, isFilled: true,
      kind: .fetchAll(readingValues: true)),
    Workload(
      name: "W3u", title: "fetch all, no value read", durability: .normal, isFilled: true,
      kind: .fetchAll(readingValues: false)),
    Workload(
      name: "W4", title: "awaited lookups by primary", durability: .normal, isFilled: true,
      kind: .lookUp),
  ]

  static var names: String { all.map(\.name).joined(separator: ", ") }
}
