/// Text for messages that lists the row IDs of the first few rows.
package enum RowIDText {
  /// The maximum number of row IDs in a message.
  package static let maximumCount = 5

  /// - Parameters:
  ///   - rows: the row IDs. A list longer than ``maximumCount`` means that there are other rows.
  ///   - verb: the text after one row, and after several rows.
  package static func text(_ rows: [Int64], _ verb: (one: String, several: String)) -> String {
    let names = rows.prefix(maximumCount).map { "\($0)" }.joined(separator: ", ")
    guard rows.count > 1 else { return "row \(names) \(verb.one)" }
    return "rows \(names)\(rows.count > maximumCount ? " and others" : "") \(verb.several)"
  }

  package static let have = (one: "has", several: "have")

  /// Returns the number of join rows as text.
  package static func joinRows(_ count: Int64) -> String {
    count == 1 ? "one join row" : "\(count) join rows"
  }
}
