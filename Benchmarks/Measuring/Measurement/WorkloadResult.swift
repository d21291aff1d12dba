public import Workloads

/// What one workload took on each engine, in the order they were measured.
public struct WorkloadResult: Sendable {
  /// As in tables: `W4`.
  public let name: String
  /// What was measured.
  public let title: String
  /// What commits promised.
  public let durability: Durability
  /// The operations of one run.
  public let operations: Int
  /// The ratio that the library is to reach; nil where none is set.
  public let target: Double?
  /// The base of ratios, and then each other engine that had something for the workload.
  public let engines: [EngineResult]

  /// All that was found.
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

  /// An engine's; nil where it had nothing for the workload.
  public func result(of engine: String) -> EngineResult? {
    engines.first { $0.engine == engine }
  }

  /// An engine's time in the base's, for neighbouring runs; nil where it had nothing for the workload.
  public func ratios(of engine: String) -> Spread? {
    guard let base = engines.first, let other = result(of: engine) else { return nil }
    return Spread(zip(other.seconds, base.seconds).map { $0 / $1 })
  }

  /// An engine's nanoseconds for one operation, the median of its runs.
  func nanoseconds(_ engine: EngineResult) -> Double {
    Spread(engine.seconds).median * 1e9 / Double(operations)
  }
}

/// What one engine took.
public struct EngineResult: Sendable {
  /// Its name.
  public let engine: String
  /// Of each run.
  public let seconds: [Double]
  /// By how many bytes the process grew at most; nil where the system does not tell.
  public let peak: Int?
  /// Of single operations; nil where there are none, or none were asked for.
  public let latencies: Latencies?

  /// All that was found.
  public init(engine: String, seconds: [Double], peak: Int?, latencies: Latencies? = nil) {
    self.engine = engine
    self.seconds = seconds
    self.peak = peak
    self.latencies = latencies
  }

  /// By how many MiB the process grew at most.
  var mebibytes: Double? { peak.map { Double($0) / Double(1 << 20) } }
}
