/// What a chart shows: for each workload a bar of each engine.
struct ChartData {
  let title: String
  let subtitle: String
  let footnote: String
  /// What ratios are to.
  let base: String
  /// Whose bars there are, in the order of colours.
  let engines: [String]
  /// Whose targets there are; nil where it was not measured.
  let judged: String?
  let rows: [Row]

  struct Row {
    let name: String
    let title: String
    /// The ratio that the judged engine is to reach.
    let target: Double?
    /// At the place of each engine its ratios; nil where it had nothing for the workload.
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

  /// Everything that must have room on the scale: one run that was disturbed need not.
  var values: [Double] {
    rows.flatMap { row in
      row.ratios.compactMap(\.self).flatMap { [$0.lowerQuartile, $0.upperQuartile] }
        + (row.target.map { [$0] } ?? [])
    }
  }
}
