/// The results at one size.
struct ScalingResult: Sendable {
  let rows: Int
  /// The seconds of each run, by measure and engine.
  private(set) var seconds: [ScalingMeasure: [[Double]]] = [:]
  /// The maximum growth of the process in bytes during the stream of each engine.
  private(set) var peaks: [Int?] = []

  init(rows: Int) { self.rows = rows }

  mutating func add(_ run: ScalingRun) { add(run.seconds, peaks: run.peaks) }

  mutating func add(_ run: [ScalingMeasure: [Double]], peaks: [Int?]) {
    for (measure, engines) in run {
      let before = seconds[measure] ?? engines.map { _ in [] }
      seconds[measure] = zip(before, engines).map { $0 + [$1] }
    }
    if self.peaks.isEmpty { self.peaks = peaks }
  }

  /// The nanoseconds per operation of an engine, as the median of its runs.
  func nanoseconds(_ measure: ScalingMeasure, _ engine: Int) -> Double {
    let seconds = seconds[measure]?[engine] ?? []
    return Spread(seconds).median * 1e9 / Double(measure.operations(rows))
  }

  /// The ratios of an engine's time to the first one's, for adjacent runs.
  func ratios(_ measure: ScalingMeasure, _ engine: Int) -> Spread {
    guard let engines = seconds[measure] else { return Spread([]) }
    return Spread(zip(engines[engine], engines[0]).map { $0 / $1 })
  }
}
