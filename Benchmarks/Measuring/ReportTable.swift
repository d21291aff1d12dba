import Workloads

/// The figures for people, as Markdown.
struct ReportTable {
  let report: Report

  var text: String {
    [report.heading, "", ratios].joined(separator: "\n")
  }

  private var ratios: String {
    let others = report.engines.dropFirst()
    let names = report.engines.map(\.name)
    let header =
      ["workload", "commits", "operations"] + names.map { "\($0), ns each" }
      + others.flatMap { ["\($0.name), ratio", "lowest–highest"] } + names.map { "\($0), MiB" }
    var lines = [
      "| " + header.joined(separator: " | ") + " |",
      "|---|---|" + String(repeating: "---:|", count: header.count - 2),
    ]
    for result in report.results { lines.append(row(result)) }
    return lines.joined(separator: "\n")
  }

  private func row(_ result: WorkloadResult) -> String {
    var cells = [
      "\(result.name) \(result.title)", result.durability.rawValue, String(result.operations),
    ]
    let engines = report.engines.map { result.result(of: $0.name) }
    cells += engines.map { $0.map { result.nanoseconds($0).whole } ?? "–" }
    for engine in report.engines.dropFirst() {
      let ratios = result.ratios(of: engine.name)
      cells.append(ratios.map { "**\($0.median.twoPlaces)**" } ?? "–")
      cells.append(ratios.map { "\($0.lowest.twoPlaces)–\($0.highest.twoPlaces)" } ?? "–")
    }
    cells += engines.map { $0?.mebibytes?.whole ?? "–" }
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
