/// All results about growth, as JSON.
struct ScalingJSON: Encodable {
  let machine: Machine
  let engines: [Report.EngineName]
  let results: [Result]

  struct Result: Encodable {
    let measure: ScalingMeasure
    let title: String
    let rows: Int
    let operations: Int
    let engines: [Side]
  }

  struct Side: Encodable {
    let engine: String
    /// The seconds of each run.
    let seconds: [Double]
    let nanosecondsPerOperation: Double
    /// The cost of an operation relative to its cost at the smallest size.
    let growth: Double
    /// The ratio to the base; nil for the base.
    let ratio: Double?
    /// The ratio relative to that at the smallest size.
    let ratioGrowth: Double?
    /// The maximum growth of the process in MiB; nil if it was not measured.
    let peakMebibytes: Double?
    /// The growth of the peak memory in MiB since the smallest size.
    let moreMebibytes: Double?
  }

  init(_ report: ScalingReport) {
    machine = report.machine
    engines = report.engines
    results = ScalingMeasure.allCases.flatMap { measure in
      report.results.map { Result(report, measure, $0) }
    }
  }
}

extension ScalingJSON.Result {
  fileprivate init(_ report: ScalingReport, _ measure: ScalingMeasure, _ result: ScalingResult) {
    self.measure = measure
    title = measure.title
    rows = result.rows
    operations = measure.operations(result.rows)
    engines = report.engines.enumerated().map { index, engine in
      ScalingJSON.Side(
        engine: engine.name, seconds: result.seconds[measure]?[index] ?? [],
        nanosecondsPerOperation: result.nanoseconds(measure, index),
        growth: report.growth(measure, result, index),
        ratio: index == 0 ? nil : result.ratios(measure, index).median,
        ratioGrowth: index == 0 ? nil : report.ratioGrowth(measure, result, index),
        peakMebibytes: report.mebibytes(measure, result, index),
        moreMebibytes: report.memoryGrowth(measure, result, index))
    }
  }
}
