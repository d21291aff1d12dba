import ArgumentParser

/// The medians of the ratios of all engines, from the table in `RESULTS.md` that compares them.
struct RecordedRatios: Equatable {
  let engines: [String]
  let rows: [Row]

  struct Row: Equatable {
    /// The name of the workload: `W1`.
    let name: String
    let title: String
    /// The ratios in the order of the engines.
    let ratios: [Double]
  }

  /// - Parameter markdown: the text with the table. Its heading begins with `workload` and
  ///   `MagicData`, and has a column for each further engine.
  init(markdown: String) throws {
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).map(Self.cells)
    guard let start = lines.firstIndex(where: { $0.starts(with: ["workload", "MagicData"]) }) else {
      throw ValidationError("There is no table whose heading begins with workload and MagicData.")
    }
    engines = Array(lines[start].dropFirst())
    let count = engines.count
    rows = try lines.dropFirst(start + 2).prefix { !$0.isEmpty }.map { cells in
      let ratios = cells.dropFirst().compactMap { Double($0.filter { $0 != "*" }) }
      let words = (cells.first ?? "").split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, ratios.count == count else {
        throw ValidationError("No row of ratios: \(cells.joined(separator: " | "))")
      }
      return Row(name: words[0], title: words[1], ratios: ratios)
    }
  }

  private static func cells(_ line: Substring) -> [String] {
    guard line.hasPrefix("|") else { return [] }
    return line.dropFirst().dropLast().split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
}
