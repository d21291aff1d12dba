import ArgumentParser

/// A number of rows: `10k`, `1M`, `250_000`.
struct RowCount: ExpressibleByArgument, Equatable, Sendable {
  let rows: Int

  init(_ rows: Int) { self.rows = rows }

  /// Parses a number of rows. Nil if it is not a positive whole number, or more than a billion.
  init?(argument: String) {
    let text = argument.filter { $0 != "_" && $0 != "," }
    let unit = text.last.flatMap { Self.units[$0.lowercased()] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
      number <= 1_000_000_000 / (unit ?? 1)
    else { return nil }
    rows = number * (unit ?? 1)
  }

  var defaultValueDescription: String { description }

  private static let units = ["k": 1_000, "m": 1_000_000]
}

extension RowCount: CustomStringConvertible {
  var description: String {
    if rows % 1_000_000 == 0 { return "\(rows / 1_000_000)M" }
    return rows % 1_000 == 0 ? "\(rows / 1_000)k" : "\(rows)"
  }
}
