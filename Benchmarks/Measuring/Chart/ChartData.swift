/// The data of a chart: for each workload a bar of each engine.
struct ChartData {
  let title: String
  let subtitle: String
  let footnote: String
  /// The base of the ratios.
  let base: String
  /// The engines with bars, in the order of colours.
  let engines: [String]
  /// The engine with targets; nil if it was not measured.
  let judged: String?
  let rows: [Row]

  struct Row {
    let name: String
    let title: String
    /// The target of the judged engine.
    let target: Double?
    /// The ratios in the order of engines; nil if an engine does not support the workload.
    let ratios: [Spread?]
  }

  init(_ report: Report) {
    let engines = report.engines.dropFirst().map(\.name)
    let base = report.engines.first?.name ?? ""
    self.engines = engines
    let judged = engines.first { $0 == report.judged }
    self.judged = judged
    self.base = base
    title = "Time compared to \(base)"
    subtitle =
      "\(report.heading), SQLite \(report.machine.sqlite), Swift \(report.machine.swift), "
      + report.machine.allocator
    footnote =
      "\(report.machine.processor), \(report.machine.cores) cores, \(report.machine.kernel). "
      + "A line without a mark at its end continues beyond the scale."
    rows = report.results.map { result in
      Row(
        name: result.name, title: result.title, target: judged == nil ? nil : result.target,
        ratios: engines.map(result.ratios))
    }
  }

  /// All values that must be on the scale, without outliers of single runs.
  var values: [Double] {
    rows.flatMap { row in
      row.ratios.compactMap(\.self).flatMap { [$0.lowerQuartile, $0.upperQuartile] }
        + (row.target.map { [$0] } ?? [])
    }
  }
}
