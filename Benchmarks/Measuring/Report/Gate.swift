import Foundation

/// The limits of ratios by workload, and for some workloads of memory.
public struct Gate: Sendable {
  private let thresholds: [String: Double]
  /// The limits of memory in MiB, for some workloads.
  private let memory: [String: Double]

  /// Reads the limits from a file of names and numbers: `"W1": 2.0`, `"A3, MiB": 32`.
  public init(path: String) throws {
    try self.init(
      JSONDecoder().decode(
        [String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: path))))
  }

  init(_ limits: [String: Double]) {
    thresholds = limits.filter { !$0.key.hasSuffix(Self.unit) }
    memory = Dictionary(
      uniqueKeysWithValues: limits.filter { $0.key.hasSuffix(Self.unit) }
        .map { (String($0.key.dropLast(Self.unit.count)), $0.value) })
  }

  /// The suffix of the name of a limit for memory.
  private static let unit = ", MiB"

  /// One sentence for every limit that an engine exceeds, and for each limit without a result.
  ///
  /// - Parameter areAll: Whether every workload was chosen; limits without a workload are reported
  ///   then.
  public func excesses(
    of engine: String, in results: [WorkloadResult], areAll: Bool
  ) -> [String] {
    results.compactMap { excess(of: engine, in: $0) }
      + results.compactMap { memoryExcess(of: engine, in: $0) }
      + (areAll ? unmeasured(results) : [])
  }

  private func unmeasured(_ results: [WorkloadResult]) -> [String] {
    Set(thresholds.keys).union(memory.keys).subtracting(results.map(\.name)).sorted()
      .map { "\($0) has a threshold, but was not measured" }
  }

  private func excess(of engine: String, in result: WorkloadResult) -> String? {
    guard let threshold = thresholds[result.name] else {
      return "\(result.name) has no threshold"
    }
    guard let ratio = result.ratios(of: engine)?.median else {
      return "\(result.name) was not measured with \(engine)"
    }
    guard ratio > threshold else { return nil }
    return "\(result.name) takes \(ratio.twoPlaces) of the time of \(result.engines[0].engine); "
      + "\(threshold.twoPlaces) is allowed"
  }

  private func memoryExcess(of engine: String, in result: WorkloadResult) -> String? {
    guard let limit = memory[result.name], let peak = result.result(of: engine)?.mebibytes,
      peak > limit
    else { return nil }
    return "\(result.name) takes \(peak.twoPlaces) MiB; \(limit.twoPlaces) are allowed"
  }
}
