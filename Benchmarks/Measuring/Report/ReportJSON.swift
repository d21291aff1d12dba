import Workloads

/// All results, as JSON.
struct ReportJSON: Codable {
  let count: Int
  let runs: Int
  let machine: Machine
  let engines: [Report.EngineName]
  let results: [Result]

  struct Result: Codable {
    let name: String
    let title: String
    let durability: Durability
    let operations: Int
    let target: Double?
    let engines: [Side]
  }

  struct Side: Codable {
    let engine: String
    /// The seconds of each run.
    let seconds: [Double]
    let nanosecondsPerOperation: Double
    /// The ratio of adjacent runs; nil for the base.
    let ratio: Ratio?
    /// Whether the ratio is not above the target; nil without a target, and for engines that are
    /// not judged.
    let meetsTarget: Bool?
    /// The maximum growth of the process in MiB.
    let peakMebibytes: Double?
    /// The latencies in nanoseconds.
    let latencies: Latencies?
  }

  struct Ratio: Codable {
    let median: Double
    let lowest: Double
    let lowerQuartile: Double
    let upperQuartile: Double
    let highest: Double

    init(_ spread: Spread) {
      median = spread.median
      lowest = spread.lowest
      lowerQuartile = spread.lowerQuartile
      upperQuartile = spread.upperQuartile
      highest = spread.highest
    }
  }

  init(report: Report) {
    count = report.settings.count
    runs = report.settings.runs
    machine = report.machine
    engines = report.engines
    results = report.results.map { Result($0, judged: report.judged) }
  }
}

extension ReportJSON.Result {
  fileprivate init(_ result: WorkloadResult, judged: String) {
    name = result.name
    title = result.title
    durability = result.durability
    operations = result.operations
    target = result.target
    engines = result.engines.enumerated().map { index, engine in
      let ratios = index == 0 ? nil : result.ratios(of: engine.engine)
      return ReportJSON.Side(
        engine: engine.engine, seconds: engine.seconds,
        nanosecondsPerOperation: result.nanoseconds(engine),
        ratio: ratios.map(ReportJSON.Ratio.init),
        meetsTarget: engine.engine == judged ? result.meetsTarget(judged) : nil,
        peakMebibytes: engine.mebibytes, latencies: engine.latencies)
    }
  }
}
