/// The measured works at each size.
enum ScalingMeasure: String, CaseIterable, Codable, Sendable {
  case insert
  case insertNumbered
  case fetch
  case stream
  case lookUp
  case fetchTeams

  var title: String {
    switch self {
    case .insert: "insert, random text as primary"
    case .insertNumbered: "insert, whole numbers in order as primary"
    case .fetch: "fetch all, every value read"
    case .stream: "stream all, every value read"
    case .lookUp: "awaited lookups by primary"
    case .fetchTeams: "fetch members in teams of ten, every value read"
    }
  }

  /// The number of operations with a number of rows.
  func operations(_ rows: Int) -> Int {
    self == .lookUp ? min(rows, Self.mostLookUps) : rows
  }

  /// The maximum number of lookups; more would not improve the result.
  private static let mostLookUps = 100_000
}
