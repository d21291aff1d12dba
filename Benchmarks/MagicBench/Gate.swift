import Foundation

/// The ratios that must not be exceeded, by workload, and for some the memory.
struct Gate {
  private let thresholds: [String: Double]
  /// In MiB, for some workloads.
  private let memory: [String: Double]

  init(path: String) throws {
    let limits = try JSONDecoder().decode(
      [String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    thresholds = limits.filter { !$0.key.hasSuffix(Self.unit) }
    memory = Dictionary(
      uniqueKeysWithValues: limits.filter { $0.key.hasSuffix(Self.unit) }
        .map { (String($0.key.dropLast(Self.unit.count)), $0.value) })
  }

  /// What the name of a limit for memory ends with.
  private static let unit = ", MiB"

  /// One sentence for every ratio above its threshold.
  func excesses(in results: [WorkloadResult]) -> [String] {
    results.compactMap { result in
      guard let threshold = thresholds[result.name] else {
        return "\(result.name) has no threshold"
      }
      guard result.ratio > threshold else { return nil }
      return "\(result.name) takes \(result.ratio) of the C twin's time; \(threshold) is allowed"
    }
      + results.compactMap { result in
        guard let limit = memory[result.name], let peak = result.peak, peak > limit else {
          return nil
        }
        return "\(result.name) takes \(peak) MiB; \(limit) are allowed"
      }
      + thresholds.keys.filter { name in !results.contains { $0.name == name } }
      .map { "\($0) has a threshold, but was not measured" }
  }
}
