/// Names the first few rows of a table, for people.
package enum RowNames {
  /// How many are named.
  package static let most = 5

  /// - Parameters:
  ///   - rows: their z-indexes; one more than are named where there are others.
  ///   - verb: what follows of one row, and of several.
  package static func text(_ rows: [Int64], _ verb: (one: String, several: String)) -> String {
    let names = rows.prefix(most).map { "\($0)" }.joined(separator: ", ")
    guard rows.count > 1 else { return "row \(names) \(verb.one)" }
    return "rows \(names)\(rows.count > most ? " and others" : "") \(verb.several)"
  }

  package static let have = (one: "has", several: "have")

  /// So many links.
  static func links(_ count: Int64) -> String { count == 1 ? "one link" : "\(count) links" }
}
