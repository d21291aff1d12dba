/// Names the first few rows of a table, for people.
enum RowNames {
  /// How many are named.
  static let most = 5

  /// - Parameter rows: their z-indexes; one more than are named where there are others.
  static func text(_ rows: [Int64]) -> String {
    let names = rows.prefix(most).map { "\($0)" }.joined(separator: ", ")
    guard rows.count > 1 else { return "row \(names)" }
    return "rows \(names)\(rows.count > most ? " and others" : "")"
  }
}
