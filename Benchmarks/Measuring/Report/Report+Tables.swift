import Workloads

extension Report {
  /// The times of each workload, and the ratios of the engines to the first one.
  var ratios: Table {
    let others = engines.dropFirst()
    var table = Table(
      textColumns: 2,
      header: ["workload", "commits", "operations"] + engines.map { "\($0.name), ns each" }
        + others.flatMap { ["\($0.name), ratio", "lowest–highest"] } + ["target"]
        + engines.map { "\($0.name), MiB" })
    table.rows = results.map { result in
      let sides = engines.map { result.result(of: $0.name) }
      var cells: [Table.Cell] = [
        "\(result.name) \(result.title)", "\(result.durability.rawValue)", "\(result.operations)",
      ]
      cells += sides.map { .init($0.map { result.nanoseconds($0).whole } ?? "–") }
      cells += others.flatMap { Self.ratio(result.ratios(of: $0.name)) }
      cells.append(.init(target(of: result)))
      cells += sides.map { .init($0?.mebibytes?.whole ?? "–") }
      return cells
    }
    return table
  }

  /// The latencies of single operations; nil if none were measured.
  var latencies: Table? {
    var table = Table(
      textColumns: 2,
      header: [
        "workload, µs", "engine", "median", "90 %", "99 %", "99.9 %", "longest", "operations",
      ])
    for result in results {
      for engine in result.engines {
        guard let latencies = engine.latencies else { continue }
        let values: [UInt64?] = [
          latencies.p50, latencies.p90, latencies.p99, latencies.p999, latencies.max,
        ]
        let cells = values.map { $0.map { (Double($0) / 1_000).twoPlaces } ?? "–" }
        table.rows.append(
          ["\(result.name) \(result.title)", "\(engine.engine)"]
            + cells.map { Table.Cell($0) } + ["\(latencies.count)"])
      }
    }
    return table.rows.isEmpty ? nil : table
  }

  private static func ratio(_ ratios: Spread?) -> [Table.Cell] {
    guard let ratios else { return ["–", "–"] }
    return [
      .strong(ratios.median.twoPlaces),
      "\(ratios.lowest.twoPlaces)–\(ratios.highest.twoPlaces)",
    ]
  }

  /// The target of the judged engine, and whether the engine meets it.
  private func target(of result: WorkloadResult) -> String {
    guard let target = result.target else { return "–" }
    guard let meets = result.meetsTarget(judged) else {
      return target.twoPlaces
    }
    return "\(target.twoPlaces) \(meets ? "met" : "missed")"
  }
}

extension WorkloadResult {
  /// Whether an engine's ratio is not above the target; nil without a ratio or a target.
  func meetsTarget(_ engine: String) -> Bool? {
    guard let target, let ratios = ratios(of: engine) else { return nil }
    return ratios.median <= target
  }
}
