import Foundation

/// The recorded costs of the library by subject, which later costs must not exceed by much.
package struct CountGate {
  private let recorded: [String: [Measure: Double]]

  package init(recorded: [String: [Measure: Double]]) { self.recorded = recorded }

  package init(path: String) throws {
    recorded = try JSONDecoder().decode(
      [String: [Measure: Double]].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  package func write(path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(recorded.mapValues { $0.mapValues(\.rounded) }).write(
      to: URL(fileURLWithPath: path))
  }

  /// One sentence for each number above its threshold, and for each number or threshold without the
  /// other.
  ///
  /// - Parameter measures: The measures that can be counted on this system.
  package func excesses(in found: [String: [Measure: Double]], measures: [Measure]) -> [String] {
    var sentences: [String] = []
    for (subject, costs) in found.sorted(by: { $0.key < $1.key }) {
      guard let limits = recorded[subject] else {
        sentences.append("\(subject) has no threshold")
        continue
      }
      for measure in measures {
        switch (costs[measure], limits[measure]) {
        case (let cost?, let limit?):
          let allowed = measure.allowed(limit)
          guard cost > allowed else { break }
          sentences.append(
            "\(subject) \(measure.verb) \(cost.short) \(measure.unit) for each operation; "
              + "\(allowed.short) are allowed")
        case (_?, nil): sentences.append("\(subject) has no threshold for \(measure.rawValue)")
        case (nil, _?):
          sentences.append(
            "\(subject) has a threshold for \(measure.rawValue), which were not counted")
        case (nil, nil): break
        }
      }
    }
    for subject in recorded.keys.sorted() where found[subject] == nil {
      sentences.append("\(subject) has thresholds, but was not counted")
    }
    return sentences
  }
}
