public import Workloads

/// The results of a workload on each engine, in the order of measurement.
public struct WorkloadResult: Sendable {
  /// The name in tables: `W4`.
  public let name: String
  /// A description of the measured work.
  public let title: String
  /// The durability of commits.
  public let durability: Durability
  /// The number of operations of one run.
  public let operations: Int
  /// The target of the library; nil if there is none.
  public let target: Double?
  /// The base of ratios, followed by each other engine that supports the workload.
  public let engines: [EngineResult]

  /// Creates a result.
  public init(
    name: String, title: String, durability: Durability, operations: Int, target: Double?,
    engines: [EngineResult]
  ) {
    self.name = name
    self.title = title
    self.durability = durability
    self.operations = operations
    self.target = target
    self.engines = engines
  }

  /// The result of an engine; nil if it does not support the workload.
  public func result(of engine: String) -> EngineResult? {
    engines.first { $0.engine == engine }
  }

  /// The ratios of an engine's time to the base's, for adjacent runs; nil if it does not support
  /// the workload.
  public func ratios(of engine: String) -> Spread? {
    guard let base = engines.first, let other = result(of: engine) else { return nil }
    return Spread(zip(other.seconds, base.seconds).map { $0 / $1 })
  }

  /// The nanoseconds per operation of an engine, as the median of its runs.
  func nanoseconds(_ engine: EngineResult) -> Double {
    Spread(engine.seconds).median * 1e9 / Double(operations)
  }
}

/// The results of one engine.
public struct EngineResult: Sendable {
  /// The name of the engine.
  public let engine: String
  /// The seconds of each run.
  public let seconds: [Double]
  /// The maximum growth of the process in bytes; nil if the system does not report it.
  public let peak: Int?
  /// The latencies of single operations; nil if there are none, or if they were not measured.
  public let latencies: Latencies?

  /// Creates a result.
  public init(engine: String, seconds: [Double], peak: Int?, latencies: Latencies? = nil) {
    self.engine = engine
    self.seconds = seconds
    self.peak = peak
    self.latencies = latencies
  }

  /// The maximum growth of the process in MiB.
  var mebibytes: Double? { peak.map { Double($0) / Double(1 << 20) } }
}
