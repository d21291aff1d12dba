import Counting
import Workloads

/// The counts as a table, with the C twin and the library side by side.
struct CountTable {
  let counts: Counts
  let measures: [Measure]

  var text: String {
    let columns = ["for each operation, C / MagicData"] + measures.map(\.rawValue)
    let hasRatio = measures.contains(.instructions)
    var lines = [
      row(columns + (hasRatio ? ["ratio"] : [])),
      "|---|" + String(repeating: "---:|", count: columns.count - (hasRatio ? 0 : 1)),
    ]
    for subject in counts.subjects {
      let cells = measures.map { cell($0, subject) }
      lines.append(
        row(["\(subject.name) \(subject.title)"] + cells + (hasRatio ? [ratio(subject)] : [])))
    }
    return lines.joined(separator: "\n")
  }

  private func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  private func cell(_ measure: Measure, _ subject: Subject) -> String {
    let costs = Subject.engines.compactMap { engine in
      counts.costs(of: subject.name, on: engine.name).map { $0[measure]?.short ?? "–" }
    }
    return costs.allSatisfy { $0 == "–" } ? "" : costs.joined(separator: " / ")
  }

  private func ratio(_ subject: Subject) -> String {
    guard let ratio = counts.ratio(subject) else { return "" }
    return subject.base.map { "\(ratio.places(3)) of \($0)" } ?? "**\(ratio.places(2))**"
  }
}
