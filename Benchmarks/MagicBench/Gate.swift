import Foundation

/// The ratios that must not be exceeded, by workload.
struct Gate {
  private let thresholds: [String: Double]

  init(path: String) throws {
    thresholds = try JSONDecoder().decode(
      [String: Double].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// One sentence for every ratio above its threshold.
  func excesses(in results: [WorkloadResult]) -> [String] {
    results.compactMap { result in
      guard let threshold = thresholds[result.name] else {
        return "\(result.name) has no threshold"
      }
      guard result.ratio > threshold else { return nil }
      return "\(result.name) takes \(result.ratio) of the C twin's time; \(threshold) is allowed"
    }
      + thresholds.keys.filter { name in !results.contains { $0.name == name } }
      .map { "\($0) has a threshold, but was not measured" }
  }
}
