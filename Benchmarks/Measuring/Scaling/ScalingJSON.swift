/// Everything that was found about growth, for programs.
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
    /// Of each run.
    let seconds: [Double]
    let nanosecondsPerOperation: Double
    /// What an operation costs in what it costs at the smallest size.
    let growth: Double
    /// Nil for the base.
    let ratio: Double?
    /// The ratio in the one at the smallest size.
    let ratioGrowth: Double?
    /// By how many MiB the process grew at most; nil where it was not asked.
    let peakMebibytes: Double?
    /// By how many MiB more than at the smallest size.
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
